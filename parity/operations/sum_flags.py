"""Flags of a sum: why the numbers of one column are hard to add."""

import math

from parity.scorer.series import OFFICIAL
from parity.scorer.summation import exact_sum
from parity.scorer.values import Number


def sum_flags(column: list[Number]) -> set[str]:
    """Why the numbers of one column are hard to add."""
    flags = set()
    floats = [value for value in column if isinstance(value, float)]
    ints = [value for value in column if isinstance(value, int)]
    finite = [value for value in floats if math.isfinite(value)]
    if any(value != value for value in floats):
        flags.add("nan-value")
    if any(math.isinf(value) for value in floats):
        flags.add("infinite-value")
    if len(finite) == len(floats) and floats and _plain_sum(floats) in (math.inf, -math.inf):
        flags.add("sum-overflows")
    if any(value and abs(value) < 2.2250738585072014e-308 for value in finite):
        flags.add("subnormal-value")
    if any(value == 0 and math.copysign(1, value) < 0 for value in floats):
        flags.add("negative-zero")
    if floats and any(ints):
        flags.add("mixed-int-float")
    if any(abs(value) > 2**53 for value in ints):
        flags.add("int-beyond-2**53")
    if floats and any(not -(2**63) <= value < 2**63 for value in ints):
        flags.add("int-beyond-long")
    if any(abs(value) >= 2**1024 - 2**970 for value in ints):
        flags.add("int-beyond-double")
    if finite and len(finite) == len(floats) and not any(ints):
        compensated = exact_sum(finite, OFFICIAL)
        if _plain_sum(finite) != compensated:
            flags.add("inexact-sum")
        if _rounded_sum(finite) != compensated:
            flags.add("inexact-compensation")
        if any(value > 0 for value in finite) and any(value < 0 for value in finite):
            flags.add("cancelling-sum")
    if len(column) > 1 and not floats:
        flags.add("ints-only")
    return flags


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
