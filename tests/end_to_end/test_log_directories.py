"""Tests that tasks give the same results with mounted log directories, as in Harbor, and with copied ones, as here."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.end_to_end.log_directories import TASKS, write_tasks
from tests.end_to_end.results import contents
from tests.end_to_end.ways import WAYS
from tests.needs import need
from tests.sandboxes.kinds import IMAGE

_NAMES = ("harbor on docker", "parity on local", "parity on docker")
_BYTES = 256 << 20


def _comparable(task: str, files: Mapping[str, str]) -> dict[str, str]:
    """Return the files to compare; only the result for a task that leaves too much."""
    is_whole = not TASKS[task.removeprefix("parity/")].too_much
    return {path: text for path, text in files.items() if is_whole or path == "result.json"}


@pytest.mark.docker
def test_copied_log_directories_give_the_same_results_as_mounted(tmp_path: Path) -> None:
    """Rewards, errors, result.json and all files are the same with copied and with mounted log directories."""
    ways = {way.name: way for way in WAYS if way.name in _NAMES}
    for way in ways.values():
        need("docker" if way.docker else "local")
    tasks = write_tasks(tmp_path / "tasks", IMAGE)

    jobs = {name: ways[name].run(tasks, tmp_path / "jobs") for name in _NAMES}

    results = {
        name: {task: _comparable(task, files) for task, files in contents(job).items()} for name, job in jobs.items()
    }
    expected = results.pop("harbor on docker")
    assert sorted(expected) == sorted(f"parity/{name}" for name in TASKS)
    for name, actual in results.items():
        assert actual == expected, name
        for trial in jobs[name].glob("*/result.json"):
            size = sum(path.stat().st_size for path in trial.parent.rglob("*") if path.is_file())
            assert size < _BYTES + (1 << 20), f"{json.loads(trial.read_text())['task_name']}: {size:,} bytes"
