"""Tests that reference and scorer answer `aggregate`, `pass_at_k` and `trial_score` as real jobs of the wheel do.

The jobs are random, and run their trials. What is asked is what the job had: the rewards of each of its groups, all its
trials, and the text of a trial's result.json.
"""

import json
import math
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from parity.operations.files.directories import scratch_directory
from parity.reference import open_reference
from parity.runners import CleanRoom
from tests.jobs.histories import History, run_history
from tests.jobs.plans import PlannedRun, RealJobPlan
from tests.jobs.strategies import job_plans

_JOBS = 120

type Hold = Callable[[RealJobPlan, Counter[str]], None]
"""Checks the job of one plan, and counts what it shows."""


def _hold_for_each(plans: st.SearchStrategy[RealJobPlan], hold: Hold, kinds: tuple[str, ...]) -> None:
    """Check 120 plans; each of the kinds must occur more than twice."""
    counts: Counter[str] = Counter()

    @settings(
        max_examples=_JOBS,
        deadline=None,
        database=None,
        derandomize=True,
        phases=(Phase.generate,),
        suppress_health_check=list(HealthCheck),
    )
    @seed(1)  # with this seed, all kinds occur
    @given(plan=plans)
    def check(plan: RealJobPlan) -> None:
        hold(plan, counts)

    check()

    assert all(counts[kind] > 2 for kind in kinds), counts


@pytest.mark.needs("utf-8")
def test_metrics_and_estimates_of_given_trials_equal_those_of_real_jobs() -> None:
    """In 120 jobs, each group has the metrics of its rewards, and the pass@k of the job's trials."""
    runners = open_reference().wheel, CleanRoom()

    def hold(plan: RealJobPlan, kinds: Counter[str]) -> None:
        with scratch_directory() as directory:
            history = run_history(directory, plan)
        trials = history.job.planned_results()
        if history.stats is None:
            kinds["failed"] += 1
            return
        for key, group in json.loads(history.stats)["evals"].items():
            _count(kinds, history, group)
            rewards = [trial.rewards for trial in trials if trial.key == key]
            for runner in runners:
                estimates = runner.pass_at_k(trials).get(key, {})
                means = [runner.aggregate(metric, rewards) for metric in _metrics(history, group)]
                # As texts, 1 and 1.0 differ.
                assert json.dumps(estimates) == json.dumps(group["pass_at_k"])
                assert json.dumps([_as_written(mean) for mean in means]) == json.dumps(group["metrics"])

    kinds = ("failed", "pass@k", "no pass@k", "several trials", "several keys", "several metrics", "null")
    _hold_for_each(job_plans, hold, kinds)


def _count(kinds: Counter[str], history: History, group: dict[str, Any]) -> None:
    kinds["pass@k" if group["pass_at_k"] else "no pass@k"] += 1
    kinds["several trials"] += group["n_trials"] > 1
    kinds["several keys"] += any(len(metric) > 1 for metric in group["metrics"])
    kinds["several metrics"] += len(group["metrics"]) > 1
    kinds["null"] += any(None in metric.values() for metric in group["metrics"])


def _metrics(history: History, group: dict[str, Any]) -> tuple[str, ...]:
    """Return the names of the metrics of a group. A group of a dataset that the job does not find has none."""
    return (history.job.metrics or ("mean",)) if group["metrics"] else ()


def _as_written(metric: dict[str, Any]) -> dict[str, Any]:
    """Return a metric as result.json has it, where nan and infinities are null."""
    return {key: value if isinstance(value, int) or math.isfinite(value) else None for key, value in metric.items()}


def _of_one_trial(plan: RealJobPlan, dataset: str | None, huge: bool) -> RealJobPlan:
    """Return a plan for the first trial alone, of this dataset, with the mean as its only metric.

    If `huge`, its reward is beyond the range of a double.
    """
    task = replace(plan.tasks[0], dataset=dataset, source=None, steps=0 if huge else plan.tasks[0].steps)
    alone = replace(plan, tasks=(task,), agents=plan.agents[:1], attempts=1, retries=0, metrics=())
    return replace(alone, behave=lambda _: PlannedRun({"reward": 10**400})) if huge else alone


_one_trial_plans = st.builds(
    _of_one_trial,
    job_plans,
    st.sampled_from([None, "d", "d", "a__b", "two words"]),
    st.sampled_from([False] * 7 + [True]),
)


@pytest.mark.needs("utf-8")
def test_scores_of_results_equal_the_means_of_resumed_jobs() -> None:
    """In 120 jobs of one trial, its result.json has the score that the job writes when it reads this file again."""
    runners = open_reference().wheel, CleanRoom()

    def hold(plan: RealJobPlan, kinds: Counter[str]) -> None:
        with scratch_directory() as directory:
            run_history(directory, plan)
            (result,) = directory.glob("job/*/result.json")
            text = result.read_text(encoding="utf-8")
            expected = _answer(_mean_of_resumed_job, directory, plan)
        kinds[expected if isinstance(expected, str) else type(expected).__name__] += 1
        kinds["dataset"] += plan.tasks[0].dataset is not None
        for runner in runners:
            assert _answer(runner.trial_score, text) == expected, text  # all numbers are floats

    kinds = ("dict", "NoneType", "OverflowError", "ValidationError", "dataset")
    _hold_for_each(_one_trial_plans, hold, kinds)


def _mean_of_resumed_job(directory: Path, plan: RealJobPlan) -> Any:
    """Resume the job, whose only trial has ended, and return the mean that it writes; None if it writes none."""
    history = run_history(directory, plan)
    if history.error is not None:
        raise history.error
    assert history.stats is not None
    (group,) = json.loads(history.stats)["evals"].values()
    return group["metrics"][0] if group["metrics"] else None


def _answer(function: Callable[..., Any], *arguments: Any) -> Any:
    """Return the function's answer, or the name of the exception that it raises."""
    try:
        return function(*arguments)
    except (OverflowError, IndexError, ValueError) as error:
        return "ValidationError" if isinstance(error, ValidationError) else type(error).__name__
