"""Hypothesis strategies for trials that meet or miss each of the requirements for pass@k."""

from hypothesis import strategies as st

from parity.operations.files.number_strategies import choose
from parity.scorer.pass_at_k import Trial
from parity.scorer.values import Rewards

type _Groups = st.SearchStrategy[list[tuple[str, str | None, str | None]]]

_unrelated_groups: _Groups = st.lists(
    st.tuples(
        st.sampled_from(["a", "agent", "a__m", "Agent 2", ""]),
        st.sampled_from(["m", "gpt-5", None, "", "m__d", "org/m:free"]),
        st.sampled_from(["d", "d", None, "", "adhoc", "m__d", "org/set"]),
    ),
    min_size=1,
    max_size=3,
)
_colliding_groups: _Groups = st.lists(
    st.sampled_from([("a", "m", "d"), ("a", None, "m__d"), ("a__m", None, "d"), ("a__m", "", "d")]),
    min_size=2,
    max_size=3,
)
"""Groups with different names that all have the evals key `a__m__d`."""

_groups = choose(_unrelated_groups, _unrelated_groups, _unrelated_groups, _colliding_groups)
_task_counts = st.lists(st.one_of(st.integers(1, 6), st.integers(2, 21)), min_size=1, max_size=4)
_gates: st.SearchStrategy[Rewards | None] = st.sampled_from(
    [
        None, None, {}, {"reward": 0.5}, {"reward": 2}, {"reward": -1}, {"reward": float("nan")},
        {"reward": 0.9999999999999999}, {"reward": 2**64}, {"reward": 1, "speed": 0}, {"accuracy": 1}, {"": 0.0},
    ]
)  # fmt: skip
_task_names = st.sampled_from(["task-{}", "set-{}/task", "task@{}", "task__{}", "{}"])
_passes_and_failures = st.sampled_from([(1, 0), (1.0, 0.0), (1.0, -0.0), (1, 0.0)])


def _attempts(draw: st.DrawFn, agent: str, model: str | None, source: str | None) -> list[Trial]:
    """Draw the trials of one group, ordered by attempt or by task."""
    pass_value, fail_value = draw(_passes_and_failures)
    trials, task = [], draw(_task_names)
    for number, count in enumerate(draw(_task_counts)):
        outcomes = draw(st.integers(0, 2**count - 1))
        for attempt in range(count):
            value = pass_value if outcomes >> attempt & 1 else fail_value
            trials.append((attempt, Trial(agent, model, source, task.format(number), {"reward": value})))
    if draw(st.booleans()):
        trials.sort(key=lambda placed: placed[0])
    return [trial for _, trial in trials]


@st.composite
def _trial_lists(draw: st.DrawFn) -> tuple[Trial, ...]:
    trials: list[Trial] = []
    for agent, model, source in draw(_groups):
        trials += _attempts(draw, agent, model, source)
    if draw(st.integers(0, 2)) == 0:
        place = draw(st.integers(0, len(trials) - 1))
        hit = trials[place]
        trials[place] = Trial(hit.agent, hit.model, hit.source, hit.task, draw(_gates))
    return tuple(trials)


trial_lists: st.SearchStrategy[tuple[Trial, ...]] = st.one_of(_trial_lists(), st.just(()))
"""Trials of a job with no group or with one to three groups. In most groups, all rewards are binary."""


def _jobs(groups: int, tasks: int, attempts: int, passing: list[int], by_attempt: bool) -> tuple[Trial, ...]:
    trials = []
    for group in range(groups):
        for task in range(tasks):
            for attempt in range(attempts):
                passes = (attempt + task) % 7 in passing
                rewards: Rewards = {"reward": 1 if passes else 0}
                trials.append((attempt, Trial(f"agent-{group}", "m", "d", f"task-{task}", rewards)))
    if by_attempt:
        trials.sort(key=lambda placed: placed[0])
    return tuple(trial for _, trial in trials)


_passing = st.lists(st.integers(0, 6), min_size=1, max_size=4, unique=True)


_few = st.integers(1, 2)


large_trial_lists: st.SearchStrategy[tuple[tuple[Trial, ...], ...]] = st.tuples(
    st.builds(_jobs, _few, _few, choose(st.integers(1, 8), st.integers(100, 300)), _passing, st.booleans()),
    st.builds(_jobs, _few, choose(st.integers(1, 8), st.integers(32, 80)), st.integers(1, 8), _passing, st.booleans()),
    st.builds(_jobs, choose(st.integers(1, 8), st.integers(9, 40)), _few, st.integers(1, 6), _passing, st.booleans()),
)
"""Jobs with up to 300 attempts at a task, with up to 80 tasks in a group, and with up to 40 groups."""
