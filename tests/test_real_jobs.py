"""The real jobs that other tests start from run as planned."""

from pathlib import Path

from parity.operations.job_stats.job_plans import PlannedRun, PlannedTask, RealJobPlan, Spot
from parity.reference.real_jobs import run_real_job, stats_of


def _half(spot: Spot) -> PlannedRun:
    return PlannedRun(rewards={"reward": spot.attempt / 2})


def test_every_planned_trial_is_run(tmp_path: Path) -> None:
    """Every planned trial is run, with and without a dataset, for every agent and attempt."""
    tasks = (PlannedTask("alone"), PlannedTask("one", "first"), PlannedTask("steps", "second", steps=2))
    plan = RealJobPlan(
        tasks, lambda spot: PlannedRun(steps=(_half(spot),) * 2, rewards={"reward": 1}), (("a", None), ("b", "m")), 2
    )

    stats = stats_of(run_real_job(tmp_path, plan))

    assert list(stats["evals"]) == [
        f"{agent}__{data}" for data in ("adhoc", "first", "second") for agent in ("a", "b__m")
    ]
    assert stats["n_completed_trials"] == 12
    assert stats["evals"]["a__second"]["metrics"] == [{"mean": 0.25}]


def test_failing_run_is_retried(tmp_path: Path) -> None:
    """A failing run of a trial is retried, with the script of its next run."""
    plan = RealJobPlan(
        (PlannedTask("task"),), lambda spot: PlannedRun({"reward": spot.run}, start=None if spot.run else "OSError")
    )

    job = run_real_job(tmp_path, RealJobPlan(plan.tasks, plan.behave, retries=2))

    assert stats_of(job)["n_retries"] == 1
    assert stats_of(job)["evals"]["scripted__adhoc"]["metrics"] == [{"mean": 1.0}]


def test_killed_job_is_resumed(tmp_path: Path) -> None:
    """A killed job has the finished trials, and resuming it runs the others."""
    plan = RealJobPlan(tuple(PlannedTask(f"task-{number}") for number in range(5)), _half)

    killed = stats_of(run_real_job(tmp_path, plan, kill_after=2))
    resumed = stats_of(run_real_job(tmp_path, plan))

    assert (killed["n_completed_trials"], resumed["n_completed_trials"]) == (2, 5)


def test_cancelled_job_does_not_finish(tmp_path: Path) -> None:
    """Cancelling a job cancels its running trials, and the job does not finish."""
    tasks = tuple(PlannedTask(f"task-{number}") for number in range(3))
    plan = RealJobPlan(
        tasks, lambda spot: PlannedRun({"reward": 1}, pause=0.0 if spot.task == "task-0" else 3600.0), concurrent=2
    )

    stats = stats_of(run_real_job(tmp_path, plan, cancel_after=1))

    assert (stats["n_completed_trials"], stats["n_cancelled_trials"]) == (3, 2)
