"""Ways of adding that are not `sum`."""

from collections.abc import Sequence

from parity.scorer import Number


def in_pairs(numbers: Sequence[Number]) -> Number:
    """Halves of halves."""
    if len(numbers) < 3:
        return one_by_one(numbers)
    half = len(numbers) // 2
    return in_pairs(numbers[:half]) + in_pairs(numbers[half:])


def one_by_one(numbers: Sequence[Number]) -> Number:
    """A loop of additions."""
    total: Number = 0
    for number in numbers:
        total = total + number
    return total
