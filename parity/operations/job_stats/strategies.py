"""Hypothesis strategies for jobs: groups of trials with rewards, errors and usage, and the events of running jobs."""

import operator
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from hypothesis import strategies as st

from parity.formats import METRIC_NAMES
from parity.operations.files.number_strategies import choose, numbers
from parity.scorer.job import Event, Job, JobTrial, Usage
from parity.scorer.values import Number, Rewards

METRICS = st.lists(st.sampled_from(METRIC_NAMES), max_size=3).map(tuple)
DATASETS = st.lists(st.sampled_from(["d", "d", "e", "a__b", "adhoc", "set 1"]), max_size=3).map(tuple)

_agents = st.sampled_from(["agent", "agent", "other", "a__m", 'quo"te', "tab\t", "é", "<a>&'"])
_models = st.sampled_from(["m", "m", None, "", "gpt-5", "back\\slash"])
_sources = st.sampled_from(["d", "d", "d", None, "", "e", "a__b", "b", "elsewhere", "adhoc"])
_keys = st.sampled_from(["reward", "reward", "reward", "speed", "é", "\ud800", "\x7f\x01", "mean", "a"])
_values: st.SearchStrategy[Number] = choose(
    st.sampled_from([0, 1, 1.0, 0.0, -0.0]),
    st.sampled_from([0.1, 0.2, 0.3, 0.7, 1e-5, 1.25e-5, 1e-7, 1e16, 123456789012345680.0, 5e-324]),
    st.sampled_from([float("nan"), float("nan"), float("inf"), float("-inf"), 10**400]),
    st.sampled_from([2**53 + 1, 2**63, -(2**64) - 1, 10**22, 2**970 + 1]),
    numbers,
)
_binary: st.SearchStrategy[Number] = st.sampled_from([0, 1, 1.0, 0.0])
_tenths: st.SearchStrategy[Number] = st.sampled_from([0.1, 0.2, 0.3, 0.7, 1])
_nans: st.SearchStrategy[Number] = st.sampled_from([1.0, float("nan"), float("nan")])
_errors = st.sampled_from(["AgentTimeoutError", "CancelledError", "ValueError", "ZeroError"])
_counts = st.one_of(st.none(), st.integers(0, 5), st.sampled_from([10**6, 2**63, 10**20]))
_costs = st.one_of(
    st.none(), st.sampled_from([0.1, 0.2, 0.3, 1e-5, 0.0, 1e16, -1.0, float("nan"), float("inf")]), st.floats(0, 1)
)
_usage = st.builds(Usage, _counts, _counts, _counts, _costs)
_usages: st.SearchStrategy[tuple[Usage, ...]] = st.one_of(st.just(()), st.lists(_usage, max_size=3).map(tuple))


def _rewards(values: st.SearchStrategy[Number]) -> st.SearchStrategy[Rewards | None]:
    return st.one_of(
        st.builds(lambda value: {"reward": value}, values),
        st.builds(lambda value: {"reward": value}, values),
        st.one_of(st.none(), st.dictionaries(_keys, values, max_size=3)),
    )


_attempts = choose(_rewards(_values), _rewards(_values), st.builds(lambda value: {"reward": value}, _binary))
_LONG_TASK = "a-task-that-has-32-characters-xx"
_tasks = st.sampled_from(["t", _LONG_TASK])
_seldom_errors = st.one_of(st.none(), st.none(), _errors)


@st.composite
def trials_named(draw: st.DrawFn, names: st.SearchStrategy[str]) -> JobTrial:
    """Draw a trial that belongs to one of a few groups."""
    trial = JobTrial(
        draw(_agents),
        draw(_models),
        draw(_sources),
        draw(_tasks),
        draw(_attempts),
        draw(names),
        draw(_seldom_errors),
        draw(_usages),
    )
    return _with_literals(draw, trial)


def _with_literals(draw: st.DrawFn, trial: JobTrial) -> JobTrial:
    """Draw whether the nan rewards of a trial are literals in reward.json, and return the trial with the result."""
    nans = tuple(key for key, value in (trial.rewards or {}).items() if value != value)
    return replace(trial, literal_nans=draw(st.sampled_from([(), nans]))) if nans else trial


_mostly = st.sampled_from([True] * 9 + [False])


def _configured(draw: st.DrawFn, trials: Sequence[JobTrial]) -> tuple[str, ...]:
    """Draw the datasets of a job. They usually include the datasets of all trials, because else the job ends early."""
    datasets = draw(DATASETS)
    if draw(_mostly):
        sources = dict.fromkeys(trial.source for trial in trials if trial.source)
        datasets += tuple(source for source in sources if source not in datasets)
    return datasets


def _numbered(trials: list[JobTrial]) -> list[JobTrial]:
    return [replace(trial, name=_name(trial.task, number)) for number, trial in enumerate(trials)]


def _name(task: str, number: int) -> str:
    """Return a trial's name. As in Harbor, it has up to 41 characters, and only the last ones differ."""
    return f"{task}__{number:07}"


_trials = trials_named(st.just("t"))
_kinds_of_values = st.sampled_from([_binary, _tenths, _values, _values, _nans])


@st.composite
def _one_group(draw: st.DrawFn) -> list[JobTrial]:
    """Draw the trials of one group, some of them without rewards.

    All rewards have the same kind of values, so that pass@k and sums that are hard to compute occur.
    """
    first, values = draw(_trials), draw(_kinds_of_values)
    lacking: list[Rewards | None] = draw(st.sampled_from([[], [], [None], [None, {}]]))
    trials = [
        replace(
            first,
            rewards=draw(st.sampled_from([{"reward": draw(values)}] * 3 + lacking)),
            exception=draw(_seldom_errors),
            task=draw(_tasks),
            usage=draw(_usages),
        )
        for _ in range(draw(st.integers(2, 8)))
    ]
    return [_with_literals(draw, replace(trial, literal_nans=())) for trial in trials]


_trial_lists = st.one_of(_one_group(), st.lists(_trials, max_size=5)).map(_numbered)


_splits = st.sampled_from([0, 0, 0, 1, 2])


@st.composite
def _finished_jobs(draw: st.DrawFn) -> Job:
    trials = draw(_trial_lists)
    split = draw(_splits)
    later = trials[split:]
    events = [Event("end", trial.name, trial) for trial in later]
    if draw(st.booleans()):  # concurrent trials start in planned order, but end in any order
        events = [Event("start", trial.name) for trial in later] + draw(st.permutations(events))
    return Job(
        len(trials) + draw(st.integers(-1, 2)),
        tuple(events),
        draw(METRICS),
        _configured(draw, later),
        tuple(trials[:split]),
        draw(st.integers(0, 3)),
    )


finished_jobs: st.SearchStrategy[Job] = _finished_jobs()
"""Jobs that have ended, some of them resumed."""


_GROUPS = {"x": ("agent", "d"), f"{_LONG_TASK}__1": ("agent", "d"), f"{_LONG_TASK}__2": ("other", "a__b")}
"""Agent and dataset of trials in a running job, by the trial's name."""


def _placed(trial: JobTrial) -> JobTrial:
    """Move the trial to a group that depends on its name, so that all results of a trial belong to the same group."""
    agent, source = _GROUPS.get(trial.name, ("é", None))
    return replace(trial, agent=agent, model="m", source=source, task="t")


trial_names: st.SearchStrategy[str] = st.sampled_from(["x", *_GROUPS, "w"])

live_trials: st.SearchStrategy[JobTrial] = trials_named(trial_names).map(_placed)
"""Trials in a running job. There are only four names, so that the same trial occurs many times."""

_earlier = st.lists(live_trials, max_size=3, unique_by=lambda trial: trial.name).map(tuple)

begun_jobs: st.SearchStrategy[Job] = st.builds(
    Job,
    st.integers(0, 6),
    st.just(()),
    METRICS,
    st.builds(operator.add, DATASETS, st.sampled_from([("d", "a__b")] * 4 + [("d",)])),
    st.one_of(st.just(()), _earlier),
    st.integers(0, 2),
    st.just(False),
)
"""Jobs that have begun, but have no event yet."""


@st.composite
def _resumed_jobs(draw: st.DrawFn) -> Job:
    job = draw(begun_jobs)
    earlier = tuple(_named(trial, number) for number, trial in enumerate(draw(_trial_lists)[:3]))
    trials = [_named(trial, 10 + number) for number, trial in enumerate(draw(_trial_lists)[:3])]
    events = [Event(kind, trial.name, trial if kind == "end" else None) for trial in trials for kind in _LIFE]
    datasets = _configured(draw, trials)
    return replace(job, datasets=datasets, earlier=earlier, events=tuple(events), finished=draw(st.booleans()))


_LIFE: tuple[Literal["start"], Literal["end"]] = ("start", "end")


def _named(trial: JobTrial, number: int) -> JobTrial:
    return replace(trial, name=_name(trial.task, number))


resumed_jobs: st.SearchStrategy[Job] = _resumed_jobs()
"""Jobs that are resumed after an earlier run, with one trial at a time."""

_SHAPES = (40, 1, 1), (40, 1, 20), (40, 12, 1), (100, 1, 1), (300, 2, 1), (1000, 2, 1)
"""Shapes of jobs: the number of trials, the number of groups, and the number of reward keys in each trial."""

_BINARY: Sequence[Number] = (1, 0, 0)

_columns: st.SearchStrategy[Sequence[Number]] = choose(
    st.sampled_from([(0.1, 2 / 7, 0.85), (1, 0, 0), (0.3, 1 / 3, 0.013, 0.7), (0.0, 1.0)]),
    st.lists(st.floats(0, 1), min_size=1, max_size=7),
)


@st.composite
def _large_jobs(draw: st.DrawFn) -> list[Job]:
    """Draw one job of each shape. The rewards of a job repeat a few values, so that few values need to be drawn."""
    values, prefix = draw(_columns), "k" * draw(st.sampled_from([70, 300]))
    errors = draw(st.sampled_from([(None,), (None, None, "ValueError")]))
    usage = Usage(draw(_counts), cost=draw(st.sampled_from([None, 0.1])))
    metrics = draw(st.sampled_from([("mean",), ("sum", "max"), (), METRIC_NAMES * 2]))
    finished = draw(st.sampled_from([True, True, False]))

    def trial(column: Sequence[Number], number: int, groups: int, keys: int) -> JobTrial:
        attempt, group = divmod(number, groups)
        rewards = {f"{prefix}-{key}": column[(attempt + key) % len(column)] for key in range(keys)}
        error = errors[number % len(errors)]
        return JobTrial(
            f"agent-{group}", "m", "d", f"t-{attempt % 7}", rewards, _name(_LONG_TASK, number), error, (usage,)
        )

    jobs = []
    # pass@k requires that all rewards are 0 or 1, so one job has only such rewards, whatever else is drawn.
    shapes = [*((values, *shape) for shape in _SHAPES), (_BINARY, 200, 1, 1)]
    for column, count, groups, keys in shapes:
        trials = [trial(column, number, groups, keys) for number in range(count)]
        events = tuple(Event("end", trial.name, trial) for trial in trials)
        jobs.append(Job(count, events, metrics, ("d",), finished=finished))
    return jobs


large_jobs: st.SearchStrategy[list[Job]] = _large_jobs()
"""Jobs with forty to a thousand trials. Some jobs have many groups or many reward keys."""
