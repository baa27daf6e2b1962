"""Faults in adding up."""

import math
from collections.abc import Callable, Sequence
from functools import wraps

from parity.runners import CleanRoom
from parity.scorer import Number, Rewards, Series, exact_sum
from tests.faulty.addition import in_pairs, one_by_one
from tests.faulty.fault import Answer, breaks, other_series


def _another_sum(add: Callable[[list[Number]], Number]) -> Answer:
    """Aggregates of rewards with one key, whose numbers are added in another way."""

    @wraps(add)
    def aggregate(right: CleanRoom, metric: str, rewards: Sequence[Rewards | None]) -> Rewards:
        keys = {key for reward in rewards if reward for key in reward}
        if metric not in ("mean", "sum") or len(keys) > 1 or not rewards:
            return right.aggregate(metric, rewards)
        total = add([next(iter(reward.values())) if reward else 0 for reward in rewards])
        return {metric: total / len(rewards) if metric == "mean" else total}

    return aggregate


def _right(numbers: list[Number]) -> Number:
    return exact_sum(numbers, Series.running())


@breaks("summation/compensated", seen_by="test_numbers")
@_another_sum
def AddsOneByOne(numbers: list[Number]) -> Number:
    """Adds in a loop, as most languages do."""
    return one_by_one(numbers)


@breaks("summation/compensated", seen_by="test_numbers")
@_another_sum
def AddsExactly(numbers: list[Number]) -> Number:
    """Adds with `math.fsum`."""
    if all(isinstance(number, float) and math.isfinite(number) for number in numbers):
        try:
            return math.fsum(numbers)
        except OverflowError:
            pass
    return _right(numbers)


@breaks("summation/compensated", seen_by="test_sizes")
def AddsManyInPairs(right: CleanRoom, metric: str, rewards: Sequence[Rewards | None]) -> Rewards:
    """Adds 32 floats or more as halves of halves, and fewer as `sum` does."""
    numbers = [number for reward in rewards for number in (reward or {}).values()]
    floats = all(isinstance(number, float) for number in numbers)
    if metric not in ("mean", "sum") or not floats or len(rewards) < 32 or {len(r or {}) for r in rewards} != {1}:
        return right.aggregate(metric, rewards)
    total = in_pairs(numbers)
    return {metric: total / len(numbers) if metric == "mean" else total}


@breaks("summation/mixed", seen_by="test_numbers")
@_another_sum
def OtherSeriesSums(numbers: list[Number]) -> Number:
    """Adds as another interpreter series does."""
    return exact_sum(numbers, other_series())


@breaks("summation/beyond-long", seen_by="test_numbers")
@_another_sum
def BigIntegersAsDoubles(numbers: list[Number]) -> Number:
    """Makes a float of every int that does not fit 64 bits."""

    def narrowed(number: Number) -> Number:
        return float(number) if 2**63 <= abs(number) < 2**1000 else number

    return _right([narrowed(number) for number in numbers])


@breaks("summation/beyond-double", seen_by="test_numbers")
def OverflowIsInfinite(right: CleanRoom, metric: str, rewards: Sequence[Rewards | None]) -> Rewards:
    """Gives inf where an int is too large for a float."""
    try:
        return right.aggregate(metric, rewards)
    except OverflowError:
        return {metric: math.inf}


@breaks("summation/infinite", seen_by="test_numbers")
@_another_sum
def CorrectsInfinities(numbers: list[Number]) -> Number:
    """Adds the compensation to an infinite sum too, which makes it nan."""
    total = _right(numbers)
    return math.nan if isinstance(total, float) and math.isinf(total) and len(numbers) > 1 else total


@breaks("summation/integers", seen_by="test_numbers")
@_another_sum
def IntegersThroughDoubles(numbers: list[Number]) -> Number:
    """Adds ints as doubles."""
    if all(isinstance(number, int) and abs(number) < 2**63 for number in numbers):
        return int(one_by_one([float(number) for number in numbers]))
    return _right(numbers)


@breaks("summation/sign-of-zero", seen_by="test_numbers")
@_another_sum
def KeepsNegativeZero(numbers: list[Number]) -> Number:
    """Starts a sum from its first number instead of from 0."""
    minus = [number for number in numbers if number == 0 and math.copysign(1, number) < 0]
    return -0.0 if numbers and len(minus) == len(numbers) else _right(numbers)
