"""Hypothesis strategies for plans of real jobs: agents, tasks, attempts, retries, and the course of each run."""

import math
from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from hypothesis import strategies as st

from parity.operations.files.number_strategies import choose
from tests.jobs.plans import PlannedRun, PlannedTask, RealJobPlan, one_of
from parity.operations.job_stats.strategies import METRICS
from parity.scorer import Number, Usage

type _Document = Mapping[str, Number | str] | None

_one = st.builds(lambda value: {"reward": value}, st.sampled_from([0, 1, 1.0, 0.5, 0.1, 1e16]))
_hard: st.SearchStrategy[Number | str] = st.sampled_from([math.nan, math.nan, "nan", 10**400, math.inf])
_rewards: st.SearchStrategy[_Document] = choose(
    _one,
    _one,
    st.dictionaries(st.sampled_from(["a", "reward", "é"]), st.sampled_from([0, 1, 0.25]), max_size=2),
    st.none(),
)
_plain: st.SearchStrategy[Number | str] = st.sampled_from([0, 1, 0.25])
_hard_rewards: st.SearchStrategy[_Document] = choose(
    st.builds(lambda value: {"reward": value}, _hard),
    st.dictionaries(st.sampled_from(["a", "reward"]), choose(_hard, _plain), max_size=2),
    _one,
)
_texts = st.sampled_from([None, None, None, "1", "0.5", "", "passed"])
_errors = st.sampled_from([None, None, None, "ValueError", "TimeoutError"])
_usage = st.one_of(st.none(), st.builds(Usage, st.integers(0, 9), st.none(), st.integers(0, 9), st.floats(0, 1)))
_steps = st.builds(PlannedRun, _rewards, _texts, agent=_errors, verifier=_errors, usage=_usage)
_runs = st.builds(
    PlannedRun, _rewards, _texts, _errors, _errors, _errors, _usage, steps=st.tuples(_steps, _steps, _steps)
)
_hard_steps = st.builds(PlannedRun, _hard_rewards)
_hard_runs = st.builds(
    PlannedRun,
    _hard_rewards,
    st.sampled_from([None, None, None, "nan"]),
    steps=st.tuples(_hard_steps, _hard_steps, _hard_steps),
)
_tasks = st.lists(
    st.builds(
        PlannedTask,
        st.just("task"),
        st.sampled_from([None, "d", "e"]),
        st.sampled_from([0, 0, 2, 3]),
        st.sampled_from(["mean", "final"]),
        st.sampled_from([None] * 4 + ["elsewhere"]),
    ),
    min_size=1,
    max_size=3,
).map(lambda tasks: tuple(replace(task, name=f"task-{number}") for number, task in enumerate(tasks)))
_agents = st.sampled_from([(("one", None),), (("one", "m"), ("two", None)), (("one", "m"), ("one", "org/n"))])


@st.composite
def _job_plans(draw: st.DrawFn) -> RealJobPlan:
    runs = draw(st.lists(draw(st.sampled_from([_runs, _hard_runs])), min_size=1, max_size=5))
    return RealJobPlan(
        draw(_tasks),
        partial(one_of, tuple(runs)),
        draw(_agents),
        draw(st.integers(1, 3)),
        draw(st.sampled_from([1, 4])),
        draw(st.integers(0, 2)),
        draw(METRICS),
    )


job_plans: st.SearchStrategy[RealJobPlan] = _job_plans()
"""Plans with up to eighteen trials, single-step and multi-step."""
