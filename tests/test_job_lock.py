"""lock.json is read piece by piece where it has Harbor's layout, and whole where it has not."""

import json
from pathlib import Path
from typing import Any

import pytest

from parity.scorer.from_disk import job_lock
from parity.scorer.from_disk.files import FolderError
from parity.scorer.from_disk.job_lock import JobLock, read_lock
from parity.scorer.from_disk.trial_kinds import TrialKinds


def _entry(task: str, agent: str) -> dict[str, Any]:
    where = {"name": task, "type": "local", "digest": "sha256:0", "source": "data", "path": f"/data/{task}"}
    return {"task": where, "timeout_multiplier": 1.0, "agent": {"name": agent, "skills": []}}


_ENTRIES = [_entry(task, agent) for _ in range(3) for task in ("one", "two") for agent in ("a", "b")]


def _write(path: Path, indent: int | None = 4) -> str:
    text = json.dumps({"schema_version": 1, "retry": {"max_retries": 0}, "trials": _ENTRIES}, indent=indent)
    path.write_text(text)
    return text


def _read(path: Path) -> JobLock:
    return read_lock(path, TrialKinds(), 0)


_EXPECTED = JobLock([0, 1, 2, 3] * 3, {"/data": "data"})


@pytest.mark.parametrize("indent", [4, 2, None])
def test_any_layout(tmp_path: Path, indent: int | None) -> None:
    """The kinds of trial in planned order, and the datasets of folders."""
    _write(tmp_path / "lock.json", indent)

    assert _read(tmp_path / "lock.json") == _EXPECTED


@pytest.mark.parametrize("chunk", [200, 1000, 1 << 20])
def test_a_large_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chunk: int) -> None:
    """It is read in chunks, wherever they end."""
    monkeypatch.setattr(job_lock, "LIMIT", 4000)
    monkeypatch.setattr(job_lock, "_CHUNK", chunk)
    _write(tmp_path / "lock.json")

    assert _read(tmp_path / "lock.json") == _EXPECTED


@pytest.mark.parametrize("chunk", [200, 1 << 20])
def test_a_large_file_that_is_cut_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chunk: int) -> None:
    """Wherever that is, it is refused."""
    monkeypatch.setattr(job_lock, "LIMIT", 400)
    monkeypatch.setattr(job_lock, "_CHUNK", chunk)
    text = _write(tmp_path / "lock.json")
    for length in range(500, len(text) - 1, 97):
        (tmp_path / "lock.json").write_text(text[:length])

        with pytest.raises(FolderError, match=r"not JSON|more than 400 bytes"):
            _read(tmp_path / "lock.json")


def test_a_large_file_in_another_layout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It would have to be parsed whole."""
    monkeypatch.setattr(job_lock, "LIMIT", 4000)
    _write(tmp_path / "lock.json", indent=2)

    with pytest.raises(FolderError, match="larger than 1,000 bytes and not in the layout that Harbor writes"):
        _read(tmp_path / "lock.json")
