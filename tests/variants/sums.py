"""Sums and means as languages and libraries offer them, for metrics, steps and tasks."""

import math
import statistics
import struct
from collections import Counter
from collections.abc import Callable, Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import accumulate
from typing import Any

from parity.operations.series import running_series
from parity.scorer import Number, exact_sum
from tests.variants.changes import averages_with, means_with, replaces_metrics
from tests.variants.variant import variant

type Sum = Callable[[Sequence[Number]], Any]


def one_by_one(numbers: Sequence[Number]) -> Number:
    """Add in a loop, as most languages do."""
    total: Number = 0
    for number in numbers:
        total = total + number
    return total


def _plain(numbers: Sequence[Number]) -> Number:
    return exact_sum(numbers, running_series())


def _in_pairs(numbers: Sequence[Number], block: int = 2) -> Number:
    if len(numbers) <= block:
        return one_by_one(numbers)
    half = len(numbers) // 2
    return _in_pairs(numbers[:half], block) + _in_pairs(numbers[half:], block)


def _as_numpy(numbers: Sequence[Number]) -> Number:
    """Add as numpy does: fewer than 8 in a loop, up to 128 in 8 columns, more in halves."""
    count = len(numbers)
    if count < 8:
        return one_by_one(numbers)
    if count <= 128:
        columns = [one_by_one(numbers[column : count - count % 8 : 8]) for column in range(8)]
        a, b, c, d, e, f, g, h = columns
        return one_by_one([((a + b) + (c + d)) + ((e + f) + (g + h)), *numbers[count - count % 8 :]])
    half = count // 2
    half -= half % 8
    return _as_numpy(numbers[:half]) + _as_numpy(numbers[half:])


def _kahan(numbers: Sequence[Number]) -> Number:
    total: Number = 0
    lost: Number = 0
    for number in numbers:
        corrected = number - lost
        after = total + corrected
        lost = (after - total) - corrected
        total = after
    return total


def _babuska(numbers: Sequence[Number]) -> Number:
    """Add with Klein's second-order compensation."""
    total = first = second = 0.0
    for number in map(float, numbers):
        after = total + number
        error = (total - after) + number if abs(total) >= abs(number) else (number - after) + total
        total = after
        corrected = first + error
        second += (first - corrected) + error if abs(first) >= abs(error) else (error - corrected) + first
        first = corrected
    return total + (first + second)


def _fsum(numbers: Sequence[Number]) -> Number:
    return math.fsum(numbers) if any(isinstance(number, float) for number in numbers) else sum(numbers)


def _exact(numbers: Sequence[Number]) -> Number:
    """Add Fractions, and round once."""
    if all(isinstance(number, int) for number in numbers):
        return sum(numbers)
    if not all(math.isfinite(number) for number in numbers):
        return one_by_one(numbers)
    return float(sum(map(Fraction, numbers)))


def _decimals(numbers: Sequence[Number]) -> Number:
    if not all(math.isfinite(number) for number in numbers):
        return one_by_one(numbers)
    total = sum((Decimal(repr(number)) for number in numbers), Decimal(0))
    return float(total) if any(isinstance(number, float) for number in numbers) else int(total)


def _narrow(number: Number) -> float:
    try:
        return float(struct.unpack("f", struct.pack("f", number))[0])
    except OverflowError:
        return math.copysign(math.inf, number)


def _in_float32(numbers: Sequence[Number]) -> Number:
    total: Number = 0
    for number in numbers:
        total = _narrow(total + _narrow(number))
    return total


def _weighted(numbers: Sequence[Number]) -> Number:
    """Count equal numbers, and add the products, as a table of counts does."""
    return _plain([number * count for number, count in Counter(numbers).items()])


SUMS: dict[str, Sum] = {
    "OneByOne": one_by_one,
    "Fsum": _fsum,
    "Pairwise": _in_pairs,
    "PairwiseInBlocks": lambda numbers: _in_pairs(numbers, 16),
    "Numpy": _as_numpy,
    "Kahan": _kahan,
    "Klein": _babuska,
    "Exact": _exact,
    "Decimals": _decimals,
    "Float32": _in_float32,
    "SortedFirst": lambda numbers: _plain(sorted(numbers)),
    "LargestFirst": lambda numbers: _plain(sorted(numbers, key=abs, reverse=True)),
    "SmallestFirst": lambda numbers: _plain(sorted(numbers, key=abs)),
    "FromTheLast": lambda numbers: _plain(numbers[::-1]),
    "AsDoubles": lambda numbers: _plain([float(number) for number in numbers]),
    "PlainDoubles": lambda numbers: one_by_one([float(number) for number in numbers]),
    "FromZeroPointZero": lambda numbers: _plain([0.0, *numbers]),
    "FromTheFirst": lambda numbers: list(accumulate(numbers))[-1] if numbers else 0,
    "ByCounts": _weighted,
    "OfDistinct": lambda numbers: _plain(list(dict.fromkeys(numbers))),
    "WithoutZeros": lambda numbers: _plain([number for number in numbers if number]),
    "IntsThenFloats": lambda numbers: (
        _plain([n for n in numbers if isinstance(n, int)]) + _plain([n for n in numbers if isinstance(n, float)])
    ),
}
"""Other ways to add numbers, in the order of the trials unless the name says otherwise."""


def _running(numbers: Sequence[Number]) -> float:
    """Update the mean with each number (Welford)."""
    mean = 0.0
    for count, number in enumerate(numbers, 1):
        mean += (number - mean) / count
    return mean


def _median(numbers: Sequence[Number]) -> float:
    return float(statistics.median(numbers))


def _without_nan(numbers: Sequence[Number]) -> float:
    kept = [number for number in numbers if number == number]
    return _plain(kept) / len(kept) if kept else math.nan


MEANS: dict[str, Sum] = {
    "RunningMean": _running,
    "StatisticsMean": lambda numbers: float(statistics.mean(numbers)),
    "StatisticsFmean": lambda numbers: statistics.fmean(numbers),
    "Nanmean": _without_nan,
    "Median": _median,
    "QuotientsAdded": lambda numbers: _plain([number / len(numbers) for number in numbers]),
    "TimesTheReciprocal": lambda numbers: _plain(numbers) * (1 / len(numbers)),
    "ExactMean": lambda numbers: (
        _exact(numbers) / len(numbers)
        if not all(map(math.isfinite, numbers))
        else float(sum(map(Fraction, numbers)) / len(numbers))
    ),
    "IncrementalMean": lambda numbers: _incremental(numbers),
    "MeanRoundedTo6": lambda numbers: round(_plain(numbers) / len(numbers), 6),
    "MeanRoundedTo12": lambda numbers: round(_plain(numbers) / len(numbers), 12),
    "MeanRoundedTo15Digits": lambda numbers: float(f"{_plain(numbers) / len(numbers):.15g}"),
    "GeometricMean": lambda numbers: math.prod(map(float, numbers)) ** (1 / len(numbers)),
    "MeanOfRange": lambda numbers: (max(numbers) + min(numbers)) / 2,
}
"""Other ways to compute a mean."""


def _incremental(numbers: Sequence[Number]) -> float:
    mean = 0.0
    for count, number in enumerate(numbers):
        mean = (mean * count + number) / (count + 1)
    return mean


def _checked(mean: Sum) -> Sum:
    """Raise ZeroDivisionError without trials, as the scorer does."""

    def checked(numbers: Sequence[Number]) -> Any:
        if not numbers:
            raise ZeroDivisionError
        return mean(numbers)

    return checked


def _quotient(total: Sum) -> Sum:
    return lambda numbers: float(total(numbers) / len(numbers))


_EXACT_TASKS = (
    "Each estimate is 1 minus a number from 0 to 1, hence a multiple of 2**-53, and so are all rounding errors of "
    "their sum. Below 2**26 tasks, the compensation is therefore exact, and the specified total is the exact "
    "one rounded "
    "once, as this one is. All estimates are doubles from 0 to 1, and none is nan."
)
_SAME_TASKS = {
    *("Fsum", "Klein", "Exact", "SortedFirst", "LargestFirst", "SmallestFirst", "FromTheLast", "AsDoubles"),
    *("FromZeroPointZero", "WithoutZeros", "IntsThenFloats", "StatisticsFmean", "Nanmean"),
}

for _name, _sum in SUMS.items():
    variant("aggregate", f"Metric{_name}")(replaces_metrics(mean=_quotient(_sum), sum=_sum))
    variant("trial_reward", f"Steps{_name}")(means_with(_quotient(_sum)))
    _why = _EXACT_TASKS if _name in _SAME_TASKS else None
    variant("pass_at_k", f"Tasks{_name}", equivalent=_why)(averages_with(_quotient(_sum)))
for _name, _mean in MEANS.items():
    variant("aggregate", f"Metric{_name}")(replaces_metrics(mean=_checked(_mean)))
    variant("trial_reward", f"Steps{_name}")(means_with(_mean))
    _why = _EXACT_TASKS if _name in _SAME_TASKS else None
    variant("pass_at_k", f"Tasks{_name}", equivalent=_why)(averages_with(_mean))
