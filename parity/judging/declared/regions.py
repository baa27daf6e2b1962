"""Chooses regions: few sets of flags that cover all divergent cases, and as few other cases as possible."""

from collections import Counter
from collections.abc import Iterable
from itertools import combinations

type Flags = frozenset[str]


def regions(others: Counter[Flags], divergent: Counter[Flags]) -> list[Flags]:
    """Return few sets of flags, so that every divergent case carries all flags of at least one.

    The choice is greedy. Candidates are single flags, pairs, and all flags of a case. Each step takes the set that
    covers most of the remaining divergent cases and the smallest part of the others. Short sets are preferred, because
    they are easier to understand. No set contains another. A divergent case without flags needs the empty set, which
    covers everything.

    Args:
        others: the number of cases that need not be covered, by their flags.
        divergent: the number of cases that must be covered, by their flags.
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
