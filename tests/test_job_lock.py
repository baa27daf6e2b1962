"""lock.json gives the planned trials in order, in any layout."""

import json
from pathlib import Path
from typing import Any

import pytest

from parity.scorer.from_disk.job_lock import read_lock


def _entry(task: str, agent: str) -> dict[str, Any]:
    where = {"name": task, "type": "local", "digest": "sha256:0", "source": "data", "path": f"/data/{task}"}
    return {"task": where, "timeout_multiplier": 1.0, "agent": {"name": agent, "skills": []}}


_ENTRIES = [_entry(task, agent) for _ in range(3) for task in ("one", "two") for agent in ("a", "b")]


@pytest.mark.parametrize("indent", [4, None])
def test_planned_trials(tmp_path: Path, indent: int | None) -> None:
    """The kinds of trials are read in planned order, with the dataset of each folder."""
    document = {"schema_version": 1, "retry": {"max_retries": 0}, "trials": _ENTRIES}
    (tmp_path / "lock.json").write_text(json.dumps(document, indent=indent))

    lock = read_lock(tmp_path / "lock.json", 0)

    assert lock.planned == lock.planned[:4] * 3
    assert len(set(lock.planned)) == 4
    assert lock.sources == {"/data": "data"}
