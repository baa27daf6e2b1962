"""Faults in the sums of rewards."""

import math
from collections.abc import Callable, Sequence
from functools import wraps

from parity.operations.series import running_series
from parity.runners import CleanRoom
from parity.scorer import Number, Rewards, exact_sum
from tests.faulty.addition import in_pairs, one_by_one
from tests.faulty.fault import Answer, breaks, other_series


def _another_sum(add: Callable[[list[Number]], Number]) -> Answer:
    """Return an `aggregate` that adds the rewards with this function if they have one key in all."""

    @wraps(add)
    def aggregate(right: CleanRoom, metric: str, rewards: Sequence[Rewards | None]) -> Rewards:
        keys = {key for reward in rewards if reward for key in reward}
        if metric not in ("mean", "sum") or len(keys) > 1 or not rewards:
            return right.aggregate(metric, rewards)
        total = add([next(iter(reward.values())) if reward else 0 for reward in rewards])
        return {metric: total / len(rewards) if metric == "mean" else total}

    return aggregate


def _right(numbers: list[Number]) -> Number:
    return exact_sum(numbers, running_series())


@breaks("summation/compensated", seen_by="test_numbers")
@_another_sum
def AddsOneByOne(numbers: list[Number]) -> Number:
    """Adds numbers in a loop, as most languages do."""
    return one_by_one(numbers)


@breaks("summation/compensated", seen_by="test_numbers")
@_another_sum
def AddsExactly(numbers: list[Number]) -> Number:
    """Adds numbers with `math.fsum`."""
    if all(isinstance(number, float) and math.isfinite(number) for number in numbers):
        try:
            return math.fsum(numbers)
        except OverflowError:
            pass
    return _right(numbers)


@breaks("summation/compensated", seen_by="test_sizes")
def AddsManyInPairs(right: CleanRoom, metric: str, rewards: Sequence[Rewards | None]) -> Rewards:
    """Adds the halves of 32 or more floats recursively; adds fewer floats as `sum` does."""
    numbers = [number for reward in rewards for number in (reward or {}).values()]
    floats = all(isinstance(number, float) for number in numbers)
    if metric not in ("mean", "sum") or not floats or len(rewards) < 32 or {len(r or {}) for r in rewards} != {1}:
        return right.aggregate(metric, rewards)
    total = in_pairs(numbers)
    return {metric: total / len(numbers) if metric == "mean" else total}


@breaks("summation/mixed", seen_by="test_numbers")
@_another_sum
def OtherSeriesSums(numbers: list[Number]) -> Number:
    """Adds numbers as the other interpreter series does."""
    return exact_sum(numbers, other_series())


@breaks("summation/beyond-long", seen_by="test_numbers")
@_another_sum
def BigIntegersAsDoubles(numbers: list[Number]) -> Number:
    """Converts ints that do not fit into 64 bits to floats before it adds them."""

    def narrowed(number: Number) -> Number:
        return float(number) if 2**63 <= abs(number) < 2**1000 else number

    return _right([narrowed(number) for number in numbers])


@breaks("summation/beyond-double", seen_by="test_numbers")
def OverflowIsInfinite(right: CleanRoom, metric: str, rewards: Sequence[Rewards | None]) -> Rewards:
    """Returns infinity if an int is too large for a float."""
    try:
        return right.aggregate(metric, rewards)
    except OverflowError:
        return {metric: math.inf}


@breaks("summation/infinite", seen_by="test_numbers")
@_another_sum
def CorrectsInfinities(numbers: list[Number]) -> Number:
    """Adds the rounding error to an infinite sum, too, which makes the sum nan."""
    total = _right(numbers)
    return math.nan if isinstance(total, float) and math.isinf(total) and len(numbers) > 1 else total


@breaks("summation/integers", seen_by="test_numbers")
@_another_sum
def IntegersThroughDoubles(numbers: list[Number]) -> Number:
    """Adds ints as floats, and converts the sum back to an int."""
    if all(isinstance(number, int) and abs(number) < 2**63 for number in numbers):
        return int(one_by_one([float(number) for number in numbers]))
    return _right(numbers)


@breaks("summation/sign-of-zero", seen_by="test_numbers")
@_another_sum
def KeepsNegativeZero(numbers: list[Number]) -> Number:
    """Starts a sum with the first number instead of 0, so the sum of negative zeros is negative zero."""
    minus = [number for number in numbers if number == 0 and math.copysign(1, number) < 0]
    return -0.0 if numbers and len(minus) == len(numbers) else _right(numbers)
