"""config.json: the number of trials that belong to no dataset, and the names of datasets."""

import json
from pathlib import Path

import pytest

from parity.scorer.from_disk.job_config import read_config


@pytest.mark.parametrize(("agents", "singles"), [({}, 2), ({"agents": [{}, {}, {}]}, 6), ({"agents": []}, 0)])
def test_trials_of_tasks_by_themselves(tmp_path: Path, agents: dict[str, object], singles: int) -> None:
    """Each task that is named directly has one trial for each agent; without agents there is one."""
    (tmp_path / "config.json").write_text(json.dumps({"tasks": [{}, {}], **agents}))

    assert read_config(tmp_path / "config.json").single_trials == singles


def test_names_of_datasets(tmp_path: Path) -> None:
    """A dataset's name comes from lock.json, or else from the end of its path, even if the path does not exist."""
    paths = ["/locked/here", str(tmp_path), "~nosuchuser/lost", "da\0ta/nul"]
    (tmp_path / "config.json").write_text(json.dumps({"datasets": [{"path": path} for path in paths]}))

    names = read_config(tmp_path / "config.json").dataset_names({"/locked/here": "there"})

    assert names == ["there", tmp_path.name, "lost", "nul"]
