"""Releases compute the numbers that `parity drift --jobs` shows. Missing environments are made."""

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from parity.command import main
from parity.reference.separate import bootstrap
from parity.reference.separate.making import python_of

pytestmark = pytest.mark.releases

_OLD, _NEW = "0.25.0", "0.26.0"
_METRICS = ("mean", "max")

_RUN = """
import runpy, sys
from pathlib import Path

runpy.run_path(sys.argv[1])["_import_kit"]()
import parity.reference
from parity.operations.job_stats.job_plans import PlannedRun, PlannedTask, RealJobPlan
from parity.reference.real_jobs import run_real_job

right = {"reward": 1.0}
ways = {
    "passes": PlannedRun(right),
    "fails": PlannedRun({"reward": 0.0}),
    "null": PlannedRun(None),
    "no-keys": PlannedRun({}),
    "no-file": PlannedRun(verifier="RewardFileNotFoundError"),
    "empty-file": PlannedRun(text=""),
    "bad-file": PlannedRun(text="oops"),
    "verifier-timeout": PlannedRun(verifier="VerifierTimeoutError"),
    "agent-timeout": PlannedRun(right, agent="AgentTimeoutError"),
    "agent-timeout-without-reward": PlannedRun(agent="AgentTimeoutError", verifier="RewardFileNotFoundError"),
    "agent-fails": PlannedRun(right, agent="ValueError"),
    "no-environment": PlannedRun(start="EnvironmentStartTimeoutError"),
    "steps": PlannedRun(steps=(PlannedRun(right), PlannedRun(right, agent="ApiError"))),
}
tasks = [PlannedTask(name, "data", steps=2 if name == "steps" else 0) for name in sys.argv[3].split()]
plan = RealJobPlan(
    tuple(tasks), lambda spot: ways[spot.task], attempts=2, metrics=("mean", "max"), verification=sys.argv[4] == "on"
)
run_real_job(Path(sys.argv[2]), plan)
"""
"""A script that runs a job, or resumes it with no trial left to run."""

_JOBS = {
    "files": ("passes fails null no-keys no-file empty-file bad-file", "on"),
    "timeouts": ("passes fails verifier-timeout agent-timeout agent-timeout-without-reward agent-fails", "on"),
    "sandboxes": ("passes no-environment", "on"),
    "steps": ("passes steps", "on"),
    "none-rewarded": ("no-file verifier-timeout", "on"),
    "verification-off": ("passes fails", "off"),
}


def _result(release: str, folder: Path, tasks: str, verification: str) -> dict[str, Any]:
    """Let a release run or resume the job, and return the numbers in its result.json."""
    (folder / "job" / "lock.json").unlink(missing_ok=True)  # no release goes on with that of another
    python = str(python_of(release, print))
    subprocess.run([python, "-W", "ignore", "-c", _RUN, bootstrap.__file__, folder, tasks, verification], check=True)
    return dict(_numbers(json.loads((folder / "job" / "result.json").read_text())["stats"]))


def _numbers(stats: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield the numbers by the names that `parity drift` gives them."""
    for key, group in stats.pop("evals").items():
        del group["reward_stats"]
        yield from ((f"{key}: {name}", each) for name, each in zip(_METRICS, group.pop("metrics"), strict=False))
        group["exception_stats"] = {error: len(names) for error, names in group["exception_stats"].items()}
        yield from ((f"{key}: {name}", value) for name, value in group.items())
    yield from stats.items()


@pytest.mark.parametrize(("tasks", "verification"), _JOBS.values(), ids=_JOBS)
def test_a_job_of_the_older_release(
    tasks: str, verification: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A job of the older release has the numbers that it wrote itself, and those of the newer that resumes the job."""
    old = _result(_OLD, tmp_path, tasks, verification)

    main(["drift", _OLD, _NEW, "--jobs", str(tmp_path / "job"), "--json"])

    (job,) = json.loads(capsys.readouterr().out)["jobs"]
    new = _result(_NEW, tmp_path, tasks, verification)
    sides = {name: (old.get(name), new.get(name)) for name in [*old, *new]}
    shown = {name: pair for name, pair in sides.items() if pair[0] != pair[1] or name.endswith(_METRICS)}
    assert {each["what"]: (each["old"], each["new"]) for each in job["numbers"]} == shown


def test_a_job_of_the_newer_release(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A job of the newer release has the numbers that it wrote itself."""
    new = _result(_NEW, tmp_path, "passes fails verifier-timeout agent-timeout steps", "on")

    main(["drift", _OLD, _NEW, "--jobs", str(tmp_path / "job"), "--json"])

    (job,) = json.loads(capsys.readouterr().out)["jobs"]
    assert job["numbers"]
    assert [each for each in job["numbers"] if each["new"] != new[each["what"]]] == []
