"""Rewards of many trials: hard columns of numbers, hard sets of keys, and trials that have neither."""

from collections.abc import Sequence

from hypothesis import strategies as st

from parity.scorer.values import Number, Rewards
from parity.strategies.json_files import keys
from parity.strategies.numbers import choose, finite_floats, floats, hard_ints, ints, numbers, plain_floats, plain_ints

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
    """Put a large number and its negative into a column, so that what stands between may be lost."""
    first, second = sorted(place % (len(column) + 1) for place in places)
    return [*column[:first], partner, *column[first:second], -partner, *column[second:]]


_partners = st.one_of(st.sampled_from([1e16, 1e100, 2.0**53, 1e300]), st.floats(1, 1e308))
_cancelled = st.builds(_cancelling, _column_kinds, _partners, st.tuples(st.integers(0, 8), st.integers(0, 8)))


def _as_rewards(column: list[Number], key: str, gap: int, filler: Rewards | None) -> RewardList:
    rewards: list[Rewards | None] = [{key: number} for number in column]
    if gap < len(rewards):
        rewards[gap] = filler
    return tuple(rewards)


number_columns: st.SearchStrategy[RewardList] = st.builds(
    _as_rewards,
    choose(_column_kinds, _cancelled),
    st.sampled_from(["reward", "score"]),
    st.integers(0, 24),
    st.sampled_from([None, {}]),
)
"""One reward key and numbers that are hard to add or to order."""

_names = st.lists(keys, min_size=1, max_size=4, unique=True)


@st.composite
def _tables(draw: st.DrawFn) -> RewardList:
    """Trials over a common set of keys, some of which a trial lacks."""
    names = draw(_names)
    rows = draw(st.lists(st.lists(numbers, min_size=len(names), max_size=len(names)), max_size=5))
    masks = draw(st.lists(st.integers(0, 2 ** len(names)), min_size=len(rows), max_size=len(rows)))
    return tuple(_row(names, row, mask) for row, mask in zip(rows, masks, strict=True))


def _row(names: Sequence[str], row: Sequence[Number], mask: int) -> Rewards | None:
    if mask == 2 ** len(names):
        return None
    return {name: number for bit, (name, number) in enumerate(zip(names, row, strict=True)) if not mask >> bit & 1}


_key = st.dictionaries(keys, numbers, min_size=1, max_size=1)

reward_lists: st.SearchStrategy[RewardList] = choose(
    _tables(),
    _tables(),
    _tables(),
    st.lists(_key, min_size=2, max_size=4).map(tuple),
    st.lists(st.one_of(st.none(), st.just({})), max_size=3).map(tuple),
)
"""Trials with several keys, missing keys, no keys and no rewards."""

_hard_names = st.sampled_from(
    [
        "a",
        "B",
        "b",
        "A",
        "é",
        "z",
        "Z",
        "_",
        "1",
        "10",
        "9",
        "\uff5e",
        "\U0001f600",
        "\ud7ff",
        "\ue000",
        "\ud800",
        "",
        " ",
    ]
)
key_lists: st.SearchStrategy[RewardList] = st.lists(
    st.dictionaries(st.one_of(_hard_names, _hard_names, keys), st.one_of(plain_ints, plain_floats), max_size=4),
    min_size=1,
    max_size=4,
).map(tuple)
"""Keys whose order depends on how strings are compared."""


def orders(rewards: RewardList) -> list[RewardList]:
    """The same trials in several orders: as drawn, reversed, and rotated by half."""
    half = len(rewards) // 2
    variants = [rewards, rewards[::-1], rewards[half:] + rewards[:half]]
    return [variant for index, variant in enumerate(variants) if index == 0 or len(rewards) > 1]
