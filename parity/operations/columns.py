"""Conditions on a column of numbers that are added up, such as properties that make the sum hard to compute."""

import math
from sys import float_info

from parity.scorer.values import Number

type Column = list[Number]

_LARGEST = int(float_info.max)


def _floats(column: Column) -> list[float]:
    return [number for number in column if isinstance(number, float)]


def _ints(column: Column) -> list[int]:
    return [number for number in column if isinstance(number, int)]


def has_nan(column: Column) -> bool:
    return any(number != number for number in column)


def has_infinity(column: Column) -> bool:
    return any(map(math.isinf, _floats(column)))


def has_negative_zero(column: Column) -> bool:
    return any(number == 0 and math.copysign(1, number) < 0 for number in _floats(column))


def has_inexact_int(column: Column) -> bool:
    """Return whether the column has an int beyond 2**53, which a double may not represent exactly."""
    return any(abs(number) > 2**53 for number in _ints(column))


def has_int_beyond_double(column: Column) -> bool:
    return any(abs(number) > _LARGEST for number in _ints(column))


def adds_int_beyond_long(column: Column) -> bool:
    """Return whether the column has a float, and an int that does not fit into 64 bits."""
    return bool(_floats(column)) and any(not -(2**63) <= number < 2**63 for number in _ints(column))


def mixes_ints_and_floats(column: Column) -> bool:
    """Return whether the column has both floats and ints other than 0."""
    return bool(_floats(column)) and any(_ints(column))


def overflows(column: Column) -> bool:
    """Return whether all floats are finite, but their sum is not."""
    return _are_finite(column) and math.isinf(_one_by_one(_floats(column)))


def differs_one_by_one(column: Column) -> bool:
    """Return whether the result of adding the floats one by one has different bits than the result of `sum`."""
    floats = _floats(column)
    return _are_finite_floats(column) and _one_by_one(floats) != sum(floats)


def depends_on_summation(column: Column) -> bool:
    """Return whether ints and floats are mixed, or adding one by one gives different bits than `sum`."""
    return mixes_ints_and_floats(column) or differs_one_by_one(column)


def is_hard_to_add(column: Column) -> bool:
    """Return whether the signs differ, or adding one by one or exactly gives different bits than `sum`."""
    if not _are_finite_floats(column):
        return False
    floats = _floats(column)
    return differs_one_by_one(column) or _exactly(floats) != sum(floats) or min(floats) < 0 < max(floats)


def _are_finite(column: Column) -> bool:
    floats = _floats(column)
    return bool(floats) and all(map(math.isfinite, floats))


def _are_finite_floats(column: Column) -> bool:
    """Return whether the column has at least one float, all floats are finite, and every int is 0."""
    return _are_finite(column) and not any(_ints(column))


def _one_by_one(floats: list[float]) -> float:
    total = 0.0
    for number in floats:
        total += number
    return total


def _exactly(floats: list[float]) -> float | None:
    try:
        return math.fsum(floats)
    except OverflowError:
        return None
