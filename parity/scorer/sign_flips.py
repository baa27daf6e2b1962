"""The paired sign-flip permutation test, which tells whether a difference between means may be chance."""

import math
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from random import Random

_MOST_SUMS = 1 << 18
"""Limit for the number of different sums in an exact test.

It is enough for any rewards of 18 tasks, and for thousands of tasks whose rewards are 0 or 1.
"""

_FLIPS = 10_000


def chance(pairs: Sequence[Fraction]) -> tuple[float, str]:
    """Return the probability that random signs give a sum of at least the same absolute value, and the method used.

    Args:
        pairs: the difference within each pair.
    """
    unit = math.lcm(*(pair.denominator for pair in pairs))
    sizes = [size for pair in pairs if (size := int(pair * unit))]
    observed = abs(sum(sizes))
    sums = Counter({0: 1})
    for size in sizes:
        both = Counter[int]()
        for total, ways in sums.items():
            both[total + size] += ways
            both[total - size] += ways
        if len(both) > _MOST_SUMS:
            return _by_random_flips(sizes, observed)
        sums = both
    extreme = sum(ways for total, ways in sums.items() if abs(total) >= observed)
    return float(Fraction(extreme, 2 ** len(sizes))), "exact sign-flip permutation"


def _by_random_flips(sizes: Sequence[int], observed: int) -> tuple[float, str]:
    random = Random(0)
    hits = sum(abs(sum(random.choice((size, -size)) for size in sizes)) >= observed for _ in range(_FLIPS))
    return (hits + 1) / (_FLIPS + 1), f"{_FLIPS:,} random sign flips, seed 0"
