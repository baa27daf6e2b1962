"""An implementation of CPython's `sum()` over ints and floats, for each interpreter series. Rules: `summation/*`.

`sum()` does more than add in a loop. Ints that fit into a C long are added exactly. From the first float on, the
rounding errors of the additions are accumulated (Neumaier's variant of Kahan's summation) and added at the end. Python
3.12 compensates for the additions of floats only; 3.14 also compensates for those of ints that follow a float.
Source: CPython's `builtin_sum_impl`, observed through the builtin.
"""

import math
from collections.abc import Iterable, Iterator

from parity.scorer.series import Series
from parity.scorer.values import Number


def exact_sum(values: Iterable[Number], series: Series) -> Number:
    """Return `sum(values)` as an interpreter of `series` computes it, to the last bit.

    Raises:
        OverflowError: a sum involves a float, and an int beyond the range of a double.
    """
    rest = iter(values)
    # Rule: summation/sign-of-zero
    total: int = 0
    for value in rest:
        # Rules: summation/integers, aggregate/type
        if isinstance(value, int) and _is_long(value) and _is_long(total + value):
            total += value
        elif isinstance(value, float):
            return _sum_from_float(total + value, rest, series)
        else:
            return _sum_plainly(total + value, rest)
    return total


def _sum_from_float(total: float, rest: Iterator[Number], series: Series) -> Number:
    """Continue the sum from its first float, with compensation if the series compensates."""
    lost = 0.0
    for value in rest:
        # Rule: summation/mixed
        if isinstance(value, float) or series is Series.PY314:
            total, lost = _add_compensated(total, lost, float(value))
        elif _is_long(value):
            total += float(value)
        else:
            # Rules: summation/beyond-long, summation/beyond-double
            return _sum_plainly(_settle(total, lost) + float(value), rest)
    return _settle(total, lost)


def _sum_plainly(total: Number, rest: Iterator[Number]) -> Number:
    """Continue the sum with ordinary additions, as CPython does after an int that does not fit into a C long."""
    for value in rest:
        total = total + value
    return total


def _add_compensated(total: float, lost: float, value: float) -> tuple[float, float]:
    # Rule: summation/compensated
    after = total + value
    if abs(total) >= abs(value):
        lost += (total - after) + value
    else:
        lost += (value - after) + total
    return after, lost


def _settle(total: float, lost: float) -> float:
    """Add the accumulated rounding error to the total, if the error is finite."""
    # Rule: summation/infinite
    return total + lost if math.isfinite(lost) else total


def _is_long(value: int) -> bool:
    """Whether the value fits into a C long on Linux and macOS, the platforms on which Harbor runs."""
    return -(2**63) <= value < 2**63
