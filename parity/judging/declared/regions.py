"""Chooses regions: few sets of flags that hold all cases that diverge, and as few others as can be."""

from collections import Counter
from collections.abc import Iterable
from itertools import combinations

type Flags = frozenset[str]


def regions(others: Counter[Flags], divergent: Counter[Flags]) -> list[Flags]:
    """Few sets of flags, so that every divergent case carries all flags of one.

    Greedy: next comes the set, of one flag or two or all that a case has, that holds most of what is left, and the
    smallest part of the other cases; long sets say little to a reader, and come late. No set lies in another. Cases
    without flags need the empty set, which holds all.

    Args:
        others: how many cases there are that no region needs to hold, by their flags.
        divergent: how many that one must hold.
    """
    if frozenset() in divergent:
        return [frozenset()]
    chosen: list[Flags] = []
    left = dict(divergent)
    while left:
        best = max(_candidates(left), key=lambda region: _worth(region, left, others, divergent))
        chosen.append(best)
        left = {flags: count for flags, count in left.items() if not best <= flags}
    return [region for region in chosen if not any(other < region for other in chosen)]


def _candidates(left: Iterable[Flags]) -> list[Flags]:
    found = {frozenset(some) for flags in left for size in (1, 2) for some in combinations(sorted(flags), size)}
    return sorted(found | set(left), key=lambda region: (len(region), sorted(region)))


def _worth(
    region: Flags, left: dict[Flags, int], others: Counter[Flags], divergent: Counter[Flags]
) -> tuple[float, int]:
    new = sum(count for flags, count in left.items() if region <= flags)
    wrong = sum(count for flags, count in divergent.items() if region <= flags)
    right = sum(count for flags, count in others.items() if region <= flags)
    return new * (wrong / (wrong + right) * 2 / max(2, len(region))) ** 2, -len(region)
