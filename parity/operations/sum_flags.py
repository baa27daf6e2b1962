"""Flags of a sum: why the numbers of one column are hard to add."""

import math
from sys import float_info

from parity.operations.rule import carried
from parity.scorer.series import OFFICIAL
from parity.scorer.summation import exact_sum
from parity.scorer.values import Number

_LARGEST = int(float_info.max)


def sum_flags(column: list[Number]) -> set[str]:
    """Return the flags of one column of numbers: why they are hard to add."""
    floats = [value for value in column if isinstance(value, float)]
    ints = [value for value in column if isinstance(value, int)]
    finite = [value for value in floats if math.isfinite(value)]
    all_finite = bool(floats) and len(finite) == len(floats)
    flags = carried(
        {
            "nan-value": any(value != value for value in floats),
            "infinite-value": any(map(math.isinf, floats)),
            "sum-overflows": all_finite and math.isinf(_plain_sum(floats)),
            "subnormal-value": any(value and abs(value) < 2.2250738585072014e-308 for value in finite),
            "negative-zero": any(value == 0 and math.copysign(1, value) < 0 for value in floats),
            "mixed-int-float": floats and any(ints),
            "int-beyond-2**53": any(abs(value) > 2**53 for value in ints),
            "int-beyond-long": floats and any(not -(2**63) <= value < 2**63 for value in ints),
            "int-beyond-double": any(abs(value) > _LARGEST for value in ints),
            "ints-only": len(column) > 1 and not floats,
        }
    )
    return flags | _inexact_flags(finite) if all_finite and not any(ints) else flags


def _inexact_flags(finite: list[float]) -> set[str]:
    """Return the flags of finite floats: why they are hard to add exactly."""
    compensated = exact_sum(finite, OFFICIAL)
    return carried(
        {
            "inexact-sum": _plain_sum(finite) != compensated,
            "inexact-compensation": _rounded_sum(finite) != compensated,
            "cancelling-sum": min(finite) < 0 < max(finite),
        }
    )


def _plain_sum(values: list[float]) -> float:
    total = 0.0
    for value in values:
        total += value
    return total


def _rounded_sum(values: list[float]) -> float | None:
    try:
        return math.fsum(values)
    except OverflowError:
        return None
