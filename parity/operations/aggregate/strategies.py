"""Hypothesis strategies for rewards of many trials: numbers and keys that are easy to get wrong, and null rewards."""

from hypothesis import strategies as st

from parity.operations.files.json_strategies import keys
from parity.operations.files.number_strategies import (
    choose,
    finite_floats,
    floats,
    hard_ints,
    ints,
    number_pools,
    numbers,
    plain_floats,
    plain_ints,
)
from parity.scorer.values import Number, Rewards

type RewardList = tuple[Rewards | None, ...]

_column_kinds = choose(
    st.lists(numbers, max_size=8),
    st.lists(plain_floats, min_size=2, max_size=12),
    st.lists(finite_floats, min_size=2, max_size=8),
    st.lists(st.one_of(floats, plain_ints), max_size=8),
    st.lists(ints, max_size=6),
    st.lists(st.one_of(hard_ints, plain_floats), min_size=1, max_size=6),
    st.lists(st.integers(-(2**62), 2**62), min_size=2, max_size=5),
    st.lists(st.just(-0.0), min_size=1, max_size=3),
    st.lists(st.sampled_from([1.7976931348623157e308, 1e308, -1e308, 1.0]), min_size=2, max_size=4),
    st.lists(st.sampled_from([0, 1, 0.0, 1.0, -0.0]), min_size=1, max_size=6),
)


def _cancelling(column: list[Number], partner: float, places: tuple[int, int]) -> list[Number]:
    """Insert a large number and its negative into a column; the sum may lose the numbers between the two."""
    first, second = sorted(place % (len(column) + 1) for place in places)
    return [*column[:first], partner, *column[first:second], -partner, *column[second:]]


_partners = st.one_of(st.sampled_from([1e16, 1e100, 2.0**53, 1e300]), st.floats(1, 1e308))
_cancelled = st.builds(_cancelling, _column_kinds, _partners, st.tuples(st.integers(0, 8), st.integers(0, 8)))


def _as_rewards(column: list[Number], key: str, gap: int, filler: Rewards | None) -> RewardList:
    rewards: list[Rewards | None] = [{key: number} for number in column]
    if 0 < gap <= len(rewards):
        rewards[gap - 1] = filler
    return tuple(rewards)


number_columns: st.SearchStrategy[RewardList] = st.builds(
    _as_rewards,
    choose(_column_kinds, _cancelled),
    st.sampled_from(["reward", "score"]),
    st.integers(0, 24),
    st.sampled_from([None, {}]),
)
"""Rewards under one key, with numbers whose sum or order is hard to compute."""

type _Column = tuple[str, list[Number | None]]
"""A key, and for each trial the number under this key, or None if the trial lacks the key.

The trials after the end of the list lack the key, too.
"""

# Trials are drawn column by column, so that shrinking can remove a key with all its numbers, or a single number.
_cells: st.SearchStrategy[Number | None] = st.integers(0, 5).flatmap(lambda n: st.none() if n == 5 else numbers)
_columns: st.SearchStrategy[list[_Column]] = st.lists(
    st.tuples(keys, choose(st.lists(_cells, min_size=1, max_size=5), st.lists(plain_floats, min_size=3, max_size=4))),
    min_size=1,
    max_size=4,
    unique_by=lambda column: column[0],
)


def _table(columns: list[_Column], gap: int) -> RewardList:
    trials = max(len(column) for _, column in columns)
    rewards: list[Rewards | None] = [{} for _ in range(trials)]
    for key, column in columns:
        for reward, number in zip(rewards, column, strict=False):
            if reward is not None and number is not None:
                reward[key] = number
    if 0 < gap <= trials:
        rewards[gap - 1] = None
    return tuple(rewards)


_tables = st.builds(_table, _columns, st.integers(0, 9))
"""Trials that share a set of keys; some trials lack some of these keys."""

_key = st.dictionaries(keys, numbers, min_size=1, max_size=1)

reward_lists: st.SearchStrategy[RewardList] = choose(
    _tables,
    _tables,
    _tables,
    st.lists(_key, min_size=2, max_size=4).map(tuple),
    st.lists(st.one_of(st.none(), st.just({})), max_size=3).map(tuple),
)
"""Trials with several keys, with missing keys, without keys, and without rewards."""

_hard_names = st.sampled_from(
    [
        "a", "B", "b", "A", "é", "z", "Z", "_", "1", "10", "9", "\uff5e", "\U0001f600", "\ud7ff", "\ue000", "\ud800",
        "", " ",
    ]
)  # fmt: skip
key_lists: st.SearchStrategy[RewardList] = st.lists(
    st.dictionaries(st.one_of(_hard_names, _hard_names, keys), st.one_of(plain_ints, plain_floats), max_size=4),
    min_size=1,
    max_size=4,
).map(tuple)
"""Trials with keys whose order depends on how strings are compared."""


def orders(rewards: RewardList) -> list[RewardList]:
    """Return the same trials in up to three orders: as drawn, reversed, and with the halves swapped."""
    half = len(rewards) // 2
    variants = [rewards, rewards[::-1], rewards[half:] + rewards[:half]]
    return [variant for index, variant in enumerate(variants) if index == 0 or len(rewards) > 1]


def _repeated(pool: list[Number], count: int) -> RewardList:
    return tuple({"reward": pool[index % len(pool)]} for index in range(count))


def _many_keys(count: int, number: Number, trials: int) -> RewardList:
    """Build trials that each lack one key; successive trials lack successive keys."""
    keys = [f"key-{index}" for index in range(count)]
    return tuple({key: number for key in keys if key != keys[trial % count]} or None for trial in range(trials))


def _long_keys(length: int, ends: list[str], number: Number) -> RewardList:
    return ({"k" * length + end: number for end in ends},)


_key_ends = st.lists(st.sampled_from(["a", "b", "", "\u00e9"]), min_size=1, max_size=3, unique=True)


large_reward_lists: st.SearchStrategy[tuple[RewardList, ...]] = st.tuples(
    st.builds(_repeated, number_pools, choose(st.integers(1, 8), st.integers(32, 300), st.integers(100, 6000))),
    st.builds(_many_keys, choose(st.integers(2, 4), st.integers(17, 40)), plain_floats, st.integers(1, 40)),
    st.builds(_long_keys, choose(st.integers(1, 8), st.integers(65, 300)), _key_ends, plain_floats),
)
"""Up to 6,000 trials; trials with up to 40 keys; and keys of about 300 characters that differ only at the end."""
