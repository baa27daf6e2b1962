"""Retried attempts may have come in any order: all orders are tried, or only their common values are compared."""

import math
from pathlib import Path
from typing import Any

import pytest

from parity.operations.job_stats.job_plans import PlannedRun, PlannedTask, RealJobPlan, Spot
from parity.reference.real_jobs import run_real_job, stats_of
from parity.scorer import Series
from tests.score.actions import edit, put, score

_SERIES = "--series", Series.running()


def test_an_order_of_keys_that_a_retry_made(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """If a retry changed the order of reward keys, the job cannot be judged."""

    def behave(spot: Spot) -> PlannedRun:
        if spot.attempt == 0:
            return PlannedRun({"reward": 1}, agent=None if spot.run else "OSError", pause=1.0)
        return PlannedRun({"a": 0}, pause=1.5)

    plan = RealJobPlan((PlannedTask("task"),), behave, attempts=2, concurrent=2, retries=1)
    job = run_real_job(tmp_path, plan)

    code, _, err = score(capfd, job, "--check", *_SERIES)

    assert list(stats_of(job)["evals"]["scripted__adhoc"]["reward_stats"]) == [
        "reward", "a"
    ]  # fmt: skip
    assert code == 3
    assert err[0].startswith(
        "cannot be judged: result.json agrees with itself in an order that only its own lists show"
    )


def _run_many(folder: Path, rewards: tuple[float, float]) -> Path:
    """Run a job of twelve tasks, twice each, with one retried attempt."""

    def behave(spot: Spot) -> PlannedRun:
        failing = (spot.task, spot.attempt, spot.run) == ("task-0", 0, 0)
        return PlannedRun({"reward": rewards[spot.attempt]}, agent="OSError" if failing else None)

    tasks = tuple(PlannedTask(f"task-{number}") for number in range(12))
    return run_real_job(folder, RealJobPlan(tasks, behave, attempts=2, retries=1))


def _reverse_values(document: dict[str, Any]) -> None:
    stats = document["stats"]["evals"]["scripted__adhoc"]["reward_stats"]
    stats["reward"] = dict(reversed(stats["reward"].items()))


def test_too_many_orders(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """If there are too many orders, only their common values and sums without rounding are compared."""
    job = _run_many(tmp_path, (0, 1))
    assert score(capfd, job, "-q", "--check", *_SERIES)[0] == 0
    edit(job / "result.json", _reverse_values)

    code, _, err = score(capfd, job, "--check", *_SERIES)
    assert (code, err[0]) == (3, "cannot be judged: result.json has the values of its trials, but too many orders are "
                                 "possible to try all")  # fmt: skip

    edit(job / "result.json", put("stats.evals.scripted__adhoc.metrics.0.mean", 0.5000000000000001))
    assert score(capfd, job, "-q", "--check", *_SERIES)[0] == 1


def test_too_many_orders_of_rounded_sums(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """If there are too many orders of rounded sums, their last bits may differ, but not more."""
    job = _run_many(tmp_path, (0.1, 0.7))
    mean = stats_of(job)["evals"]["scripted__adhoc"]["metrics"][0]["mean"]

    edit(job / "result.json", put("stats.evals.scripted__adhoc.metrics.0.mean", math.nextafter(mean, 1)))
    assert score(capfd, job, "-q", "--check", *_SERIES)[0] == 3

    edit(job / "result.json", put("stats.evals.scripted__adhoc.metrics.0.mean", mean + 1e-9))
    assert score(capfd, job, "-q", "--check", *_SERIES)[0] == 1
