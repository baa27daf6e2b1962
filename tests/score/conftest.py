"""Fixtures: a job that the wheel ran, and copies of it."""

import shutil
from pathlib import Path

import pytest

from parity.operations.job_stats.job_plans import PlannedRun, PlannedTask, RealJobPlan, Spot
from parity.reference.real_jobs import run_real_job
from parity.scorer import Usage


def _behave(spot: Spot) -> PlannedRun:
    rewards = {"reward": 0.1 + spot.attempt / 3}
    failing = "ValueError" if spot.task == "one" and spot.attempt == 1 else None
    return PlannedRun(
        rewards, agent=failing, usage=Usage(10, 2, 3, 0.1), steps=(PlannedRun(rewards, usage=Usage(1, 1, 1, 0.5)),) * 2
    )


@pytest.fixture(scope="session")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a job that the wheel ran."""
    tasks = PlannedTask("alone"), PlannedTask("one", "data"), PlannedTask("steps", "data", steps=2)
    return run_real_job(tmp_path_factory.mktemp("job"), RealJobPlan(tasks, _behave, attempts=2))


@pytest.fixture
def job(ran: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a copy of the job that the test may damage; the current folder is its parent."""
    shutil.copytree(ran, tmp_path / "job")
    monkeypatch.chdir(tmp_path)
    return Path("job")
