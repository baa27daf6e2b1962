"""The paired sign-flip permutation test, which shows whether a difference of means is more than chance."""

import math
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from random import Random

_MOST_SUMS = 1 << 18
"""The most different sums for an exact answer: enough for any differences of 18 tasks, and for 0 and 1 of thousands."""

_FLIPS = 10_000


def chance(pairs: Sequence[Fraction]) -> tuple[float, str]:
    """Return the probability that random signs give a sum at least as large, in either direction; and the method.

    Args:
        pairs: the differences of the pairs.
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
