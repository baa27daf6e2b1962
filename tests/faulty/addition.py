"""Functions that add numbers in a different way than `sum`."""

from collections.abc import Sequence

from parity.scorer import Number


def in_pairs(numbers: Sequence[Number]) -> Number:
    """Add the two halves of the numbers recursively, and then add the two sums."""
    if len(numbers) < 3:
        return one_by_one(numbers)
    half = len(numbers) // 2
    return in_pairs(numbers[:half]) + in_pairs(numbers[half:])


def one_by_one(numbers: Sequence[Number]) -> Number:
    """Add the numbers in a loop, with ordinary additions."""
    total: Number = 0
    for number in numbers:
        total = total + number
    return total
