"""Fixtures for the tests of `parity score`: a job that the wheel ran, copies of the job, and the command."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from parity.command import main
from parity.scorer import Usage
from tests.jobs.plans import PlannedRun, PlannedTask, RealJobPlan, TrialRun
from tests.jobs.runs import run_real_job

type Scored = tuple[int | str | None, str, list[str]]
"""Exit code, output, and lines of standard error except those that explain metrics."""

type Score = Callable[..., Scored]
"""A function that runs `parity score` with the arguments."""


def _behave(trial_run: TrialRun) -> PlannedRun:
    rewards = {"reward": 0.1 + trial_run.attempt / 3}
    failing = "ValueError" if trial_run.task == "one" and trial_run.attempt == 1 else None
    return PlannedRun(
        rewards, agent=failing, usage=Usage(10, 2, 3, 0.1), steps=(PlannedRun(rewards, usage=Usage(1, 1, 1, 0.5)),) * 2
    )


@pytest.fixture(scope="session")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the directory of a job that the wheel ran."""
    tasks = PlannedTask("alone"), PlannedTask("one", "data"), PlannedTask("steps", "data", steps=2)
    return run_real_job(tmp_path_factory.mktemp("job"), RealJobPlan(tasks, _behave, attempts=2))


@pytest.fixture
def job(ran: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a copy of the job that the test may damage; the current directory is its parent."""
    shutil.copytree(ran, tmp_path / "job")
    monkeypatch.chdir(tmp_path)
    return Path("job")


@pytest.fixture
def score(capfd: pytest.CaptureFixture[str]) -> Score:
    """Return a function that runs `parity score` in this process."""

    def run(*arguments: object) -> Scored:
        try:
            code: int | str | None = main(["score", *map(str, arguments)])
        except SystemExit as end:
            code = end.code
        printed = capfd.readouterr()
        return code, printed.out, [line for line in printed.err.splitlines() if not line.startswith("metric: ")]

    return run
