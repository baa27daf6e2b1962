"""Cases of a size that jobs have and small cases do not: many trials, tasks, groups and steps, many and long keys.

A few numbers are drawn and repeated, so that a large case costs little more to draw than a small one. Each strategy
gives several cases at once, one for each way of being large.
"""

from hypothesis import strategies as st

from parity.operations.aggregate.strategies import RewardList
from parity.operations.files.number_strategies import choose, finite_floats, plain_floats, plain_ints
from parity.scorer.pass_at_k import Trial
from parity.scorer.trial_reward import MultiStepTrial, Step
from parity.scorer.values import Number, Rewards

_pools: st.SearchStrategy[list[Number]] = choose(
    st.lists(plain_floats, min_size=1, max_size=6),
    st.lists(finite_floats, min_size=1, max_size=6),
    st.lists(st.one_of(plain_floats, plain_ints), min_size=1, max_size=6),
)


def _repeated(pool: list[Number], count: int) -> RewardList:
    return tuple({"reward": pool[index % len(pool)]} for index in range(count))


def _many_keys(count: int, number: Number, trials: int) -> RewardList:
    """Trials that lack one key each, another one every time."""
    keys = [f"key-{index}" for index in range(count)]
    return tuple({key: number for key in keys if key != keys[trial % count]} or None for trial in range(trials))


def _long_keys(length: int, ends: list[str], number: Number) -> RewardList:
    return ({"k" * length + end: number for end in ends},)


_key_ends = st.lists(st.sampled_from(["a", "b", "", "\u00e9"]), min_size=1, max_size=3, unique=True)

large_reward_lists: st.SearchStrategy[tuple[RewardList, ...]] = st.tuples(
    st.builds(_repeated, _pools, choose(st.integers(1, 8), st.integers(32, 300), st.integers(100, 2000))),
    st.builds(_many_keys, choose(st.integers(2, 4), st.integers(17, 40)), plain_floats, st.integers(1, 40)),
    st.builds(_long_keys, choose(st.integers(1, 8), st.integers(65, 300)), _key_ends, plain_floats),
)
"""Up to 2,000 trials; up to 40 keys; keys of up to 300 characters that are alike but for their ends."""


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
"""Up to 300 attempts at a task; up to 80 tasks in a group; up to 40 groups."""


def _stepped(pool: list[Number], steps: int, keys: int) -> MultiStepTrial:
    rewards = ({f"key-{key}": pool[step % len(pool)] for key in range(keys)} for step in range(steps))
    return MultiStepTrial(tuple(map(Step, rewards)))


long_trials: st.SearchStrategy[tuple[MultiStepTrial, ...]] = st.tuples(
    st.builds(_stepped, _pools, choose(st.integers(1, 8), st.integers(32, 40)), _few),
    st.builds(_stepped, _pools, _few, choose(st.integers(1, 4), st.integers(17, 40))),
)
"""Up to 40 steps; up to 40 reward keys."""
