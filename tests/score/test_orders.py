"""Tests that a result.json is judged by the order of the trials.

If the directory shows the order, result.json must fit it. If the order is unknown, result.json is judged wrong only if
it is wrong in every order.
"""

import json
import math
import os
import random
import shutil
from collections.abc import Callable
from functools import partial, reduce
from itertools import permutations
from operator import add
from pathlib import Path
from typing import Any

import pytest

from parity.formats import METRIC_NAMES
from parity.operations.series import running_series
from parity.scorer import Number, Usage
from tests.jobs.plans import PlannedRun, PlannedTask, RealJobPlan, TrialRun
from tests.jobs.runs import run_real_job
from tests.score.actions import edit, put, trial_of
from tests.score.conftest import Score

_SERIES = "--series", running_series()
_COSTS = 0.1, 0.2, 0.3
_GROUP = "stats.evals.scripted__adhoc"


def _check(score: Score, job: Path) -> tuple[int | str | None, str]:
    """Return the exit code and the first line that is not a note."""
    code, _, err = score(job, "--check", *_SERIES)
    return code, next(line for line in err if not line.startswith("note: "))


def _run(directory: Path) -> Path:
    """Run a job of three trials whose costs add up to 0.6000000000000001 in planned order, and to 0.6 in reverse."""
    tasks = tuple(PlannedTask(f"task-{number}") for number in range(3))
    plan = RealJobPlan(
        tasks, lambda trial_run: PlannedRun({"reward": 1}, usage=Usage(cost=_COSTS[int(trial_run.task[-1])]))
    )
    return run_real_job(directory, plan)


def _reverse(document: dict[str, Any]) -> None:
    """Reverse the list of trial names, and set the cost that this order gives."""
    document["stats"]["cost_usd"] = 0.6
    document["stats"]["evals"]["scripted__adhoc"]["reward_stats"]["reward"]["1"].reverse()


def _reorder(document: dict[str, Any], listed: list[str]) -> None:
    """Use an order of the trials that is neither the planned order nor the directory's, and set its cost."""
    names = document["stats"]["evals"]["scripted__adhoc"]["reward_stats"]["reward"]["1"]
    used_orders = (tuple(names), tuple(name for name in listed if name in names))
    names[:] = next(order for order in permutations(names) if order not in used_orders)
    document["stats"]["cost_usd"] = reduce(add, (_COSTS[int(name.partition("__")[0][-1])] for name in names))


def _copied(job: Path) -> Path:
    """Return a copy whose files have the times of copying, so that config.json is newer than all trials."""
    return Path(shutil.copytree(job, job.with_name("copy"), copy_function=shutil.copyfile))


def test_order_that_was_not_planned_is_wrong(tmp_path: Path, score: Score) -> None:
    """In a job that ran without a break, any order other than the planned one is judged wrong."""
    job = _run(tmp_path)
    edit(job / "result.json", _reverse)

    code, line = _check(score, job)

    assert code == 1
    assert line.startswith("result.json differs in 2 places (3 trials, as lock.json plans them")


def test_copy_in_planned_order_is_right(tmp_path: Path, score: Score) -> None:
    """A copy of a job that ran without a break is judged right, although its config.json is newer than its trials."""
    assert _check(score, _copied(_run(tmp_path)))[0] == 0


def _resumed(directory: Path) -> Path:
    """Run a job of twenty trials that is killed and resumed."""
    tasks = tuple(PlannedTask(f"task-{number}") for number in range(10))
    plan = RealJobPlan(tasks, lambda trial_run: PlannedRun({"reward": 1}), attempts=2)
    run_real_job(directory, plan, kill_after=8)
    return run_real_job(directory, plan)


def test_resumed_job_is_right(tmp_path: Path, score: Score) -> None:
    """A resumed job is judged right: the finished trials in directory order, and then the remaining attempts."""
    assert _check(score, _resumed(tmp_path))[0] == 0


def test_changed_layout_of_a_resumed_job_is_reported(tmp_path: Path, score: Score) -> None:
    """If only the layout differs, the layout is reported, and not differences from an order that does not fit."""
    job = _resumed(tmp_path)
    (job / "result.json").write_bytes((job / "result.json").read_bytes().replace(b"\n", b"\r\n"))

    code, _, err = score(job, "--check", *_SERIES)

    assert code == 1
    assert err[-1].startswith("  the same values, but another text: line 1 ")


def test_unknown_order_of_finished_trials_is_not_judged(tmp_path: Path, score: Score) -> None:
    """If finished trials may have been used in any order, only what is wrong in every order is judged wrong."""
    job = _copied(_run(tmp_path))
    edit(job / "result.json", partial(_reorder, listed=os.listdir(job)))
    code, line = _check(score, job)
    assert code == 3
    assert line.startswith("result.json cannot be judged: trials started before config.json was written: ")

    edit(job / "result.json", put(f"{_GROUP}.n_errors", 1))
    assert _check(score, job)[0] == 1


def test_job_without_lock_is_scored(job: Path, score: Score) -> None:
    """A job from before Harbor 0.6.6 is scored, although it has no lock.json and the order of its trials is unknown."""
    right = (job / "result.json").read_text()
    (job / "lock.json").unlink()
    code, out, err = score(job)
    assert (code, out) == (0, right)
    assert err[0].startswith("result.json is right (6 trials, by the time when they started, because there is no lock.")

    edit(job / "result.json", lambda document: document["stats"].update(n_trials=6, n_errors=1))
    edit(job / "result.json", put("stats.n_retries", ...))
    code, line = _check(score, job)
    assert code == 3
    assert line.startswith("result.json cannot be judged: there is no lock.json, so the order")


def test_unfinished_job_is_not_judged(job: Path, score: Score) -> None:
    """The interim numbers in the result.json of an unfinished job are not judged."""
    edit(job / "result.json", put("finished_at", None))

    code, line = _check(score, job)

    assert code == 3
    assert line == "parity score: job/result.json: cannot be judged: the job has not ended; score it when it has"


@pytest.mark.parametrize("number", [math.nan, math.inf])
def test_null_reward_is_read_as_nan_or_not_judged(tmp_path: Path, score: Score, number: float) -> None:
    """A null reward is read as nan; if result.json does not fit nan, it is not judged."""
    plan = RealJobPlan((PlannedTask("task"),), lambda trial_run: PlannedRun({"reward": number}))
    job = run_real_job(tmp_path, plan)

    code, line = _check(score, job)

    assert code == (0 if math.isnan(number) else 3)
    assert line.startswith(
        "result.json is right" if math.isnan(number) else "result.json cannot be judged: a reward was nan or infinite"
    )


def test_result_with_a_null_cost_is_not_judged(job: Path, score: Score) -> None:
    """A result.json with a null cost is not judged, because the trial's cost may have been nan."""
    edit(trial_of(job) / "result.json", put("agent_result.cost_usd", None))
    edit(job / "result.json", put("stats.cost_usd", None))

    code, line = _check(score, job)

    assert code == 3
    assert line.startswith("result.json cannot be judged: a cost may have been nan or infinite, which its trial's ")


def _retried(directory: Path, rewards: tuple[Number, ...], metrics: tuple[str, ...] = ()) -> Path:
    """Run a job with one attempt for each reward; the first attempt is retried after all others have started."""

    def behave(trial_run: TrialRun) -> PlannedRun:
        is_failing = (trial_run.attempt, trial_run.run) == (0, 0)
        return PlannedRun({"reward": rewards[trial_run.attempt]}, agent="OSError" if is_failing else None, pause=1.0)

    plan = RealJobPlan((PlannedTask("task"),), behave, attempts=len(rewards), concurrent=30, retries=1, metrics=metrics)
    return run_real_job(directory, plan)


_THIRTY = tuple(random.Random(0).random() for _ in range(30))


@pytest.mark.parametrize("rewards", [(-0.0, 0) + (0, -0.0) * 3 + (0,), (1, 1.0, 0.5), (2**60, float(2**60)), _THIRTY])
def test_retried_attempts_are_not_judged(tmp_path: Path, score: Score, rewards: tuple[Number, ...]) -> None:
    """With a retried attempt the order is unknown, so values that depend on the order are not judged."""
    code, line = _check(score, _retried(tmp_path, rewards, METRIC_NAMES))

    assert code == 3
    assert line.startswith(
        "result.json cannot be judged: trials were tried again, so a task's attempts may have started"
    )


def _another_bit(document: dict[str, Any]) -> None:
    (mean,) = document["stats"]["evals"]["scripted__adhoc"]["metrics"]
    mean["mean"] = math.nextafter(mean["mean"], 1)


def _another_order_of_keys(document: dict[str, Any]) -> None:
    document["stats"] = dict(reversed(document["stats"].items()))


def _another_spelling(document: dict[str, Any]) -> None:
    rewards = document["stats"]["evals"]["scripted__adhoc"]["reward_stats"]["reward"]
    rewards.update({f"{key}0": rewards.pop(key) for key in list(rewards)[:1]})


def _without_a_trial(document: dict[str, Any]) -> None:
    next(iter(document["stats"]["evals"]["scripted__adhoc"]["reward_stats"]["reward"].values())).pop()


@pytest.mark.parametrize(
    "forge",
    [
        _another_bit,
        _another_order_of_keys,
        _another_spelling,
        _without_a_trial,
        put(f"{_GROUP}.n_trials", 30.0),
        put(f"{_GROUP}.pass_at_k", {"2": 1.0}),
        put("stats.cost_usd", 0.0),
        put("stats.evals.other", {}),
    ],
)
def test_value_that_is_wrong_in_every_order_is_judged_wrong(
    tmp_path: Path, score: Score, forge: Callable[[dict[str, Any]], None]
) -> None:
    """Even with thirty retried attempts, values that do not depend on the order are judged."""
    job = _retried(tmp_path, _THIRTY)
    edit(job / "result.json", forge)

    assert _check(score, job)[0] == 1


def test_changed_layout_is_wrong_in_every_order(tmp_path: Path, score: Score) -> None:
    """A changed layout is judged wrong in any case, because it does not depend on the order of the trials."""
    job = _retried(tmp_path, (0.1, 0.2, 0.3))
    (job / "result.json").write_text((job / "result.json").read_text().replace(": ", ":"))

    assert _check(score, job)[0] == 1


def test_dataset_behind_a_symlink_keeps_its_name(tmp_path: Path, score: Score) -> None:
    """A dataset behind a symlink has the name of its target, which lock.json keeps after the symlink is removed."""
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "datasets").mkdir()
    os.symlink(tmp_path / "elsewhere", tmp_path / "datasets" / "link")
    plan = RealJobPlan(
        (PlannedTask("task", "link"),), lambda trial_run: PlannedRun({"reward": 1}), metrics=("sum", "max")
    )
    job = run_real_job(tmp_path, plan)
    (tmp_path / "datasets" / "link").unlink()

    assert list(json.loads((job / "result.json").read_text())["stats"]["evals"]) == ["scripted__elsewhere"]
    assert _check(score, job)[0] == 0
