"""A refused start, and a job that died, leave a folder whose result.json is not called wrong."""

from pathlib import Path

import pytest

from parity.operations.job_stats.job_plans import PlannedRun, PlannedTask, RealJobPlan, Spot
from parity.reference.real_jobs import run_real_job, stats_of
from parity.scorer import Series, Usage
from tests.score.actions import edit, put, score

_COSTS = 0.1, 0.2, 0.3
_SERIES = "--series", Series.running()


def _lock_another_job(job: Path) -> None:
    """Change lock.json so that the wheel refuses to resume the job, after it has written config.json."""
    edit(job / "lock.json", put("n_concurrent_trials", 9))


def test_a_refused_start_hides_the_last_run(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """After a refused start, all divisions into runs are tried, because config.json no longer shows the last run."""
    plan = RealJobPlan(
        tuple(PlannedTask(f"task-{number}") for number in range(3)),
        lambda spot: PlannedRun(
            {"reward": 1}, usage=Usage(cost=_COSTS[int(spot.task[-1])]), pause=9 - int(spot.task[-1])
        ),
        concurrent=3,
    )
    run_real_job(tmp_path, plan, kill_after=1)
    job = run_real_job(tmp_path, plan)
    _lock_another_job(job)
    with pytest.raises(FileExistsError):
        run_real_job(tmp_path, plan)

    code, _, err = score(capfd, job, "--check", *_SERIES)

    assert stats_of(job)["evals"]["scripted__adhoc"]["reward_stats"]["reward"]["1"][0].startswith("task-2")
    assert code == 0
    assert err[1].startswith("result.json is right with its trials as a resumed job does: those of earlier runs as the")


def test_a_refused_start_removes_running_trials(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """After a refused start, result.json still counts the running trials that were removed."""
    plan = RealJobPlan(
        (PlannedTask("quick"), PlannedTask("slow")),
        lambda spot: PlannedRun({"reward": 1}, pause=9.0 if spot.task == "slow" else 0.0),
        concurrent=2,
    )
    job = run_real_job(tmp_path, plan, kill_after=1)
    _lock_another_job(job)
    with pytest.raises(FileExistsError):
        run_real_job(tmp_path, plan)

    code = score(capfd, job, "-q", "--check", *_SERIES)[0]

    assert stats_of(job)["n_running_trials"] == 1
    assert not list(job.glob("slow*"))
    assert code == 0


def test_a_job_that_died_before_a_trial_was_tried_again(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """After a job died between a trial and its retry, result.json cannot be judged."""

    def behave(spot: Spot) -> PlannedRun:
        reward = 10**400 if spot.task == "huge" else 1
        error = "OSError" if spot.task == "failing" else None
        return PlannedRun({"reward": reward}, agent=error, pause=9.0 if spot.task == "slow" else 1.0)

    tasks = tuple(map(PlannedTask, ("failing", "huge", "counted", "uncounted", "slow")))
    with pytest.raises(ExceptionGroup):
        run_real_job(tmp_path, RealJobPlan(tasks, behave, concurrent=5, retries=1, metrics=("max",)))

    code, _, err = score(capfd, tmp_path / "job", "--check", *_SERIES)

    assert stats_of(tmp_path / "job")["n_errored_trials"] == 2
    assert [path.parent.name.partition("__")[0] for path in sorted(tmp_path.glob("job/*/result.json"))] == [
        "counted", "huge", "slow", "uncounted"
    ]  # fmt: skip
    assert (code, len(err)) == (3, 1)
    assert "retried trials left traces" in err[0]
