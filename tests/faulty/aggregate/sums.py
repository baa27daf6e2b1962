"""Faults in adding up."""

import math
from collections.abc import Sequence

from parity.scorer import Number, Rewards, exact_sum
from tests.faulty.addition import one_by_one
from tests.faulty.fault import Fault


class _SumFault(Fault):
    seen_by = "test_numbers"

    def add(self, numbers: list[Number]) -> Number:
        """What this runner takes for the sum."""
        raise NotImplementedError

    def aggregate(self, metric: str, rewards: Sequence[Rewards | None]) -> Rewards:
        keys = {key for reward in rewards if reward for key in reward}
        if metric not in ("mean", "sum") or len(keys) > 1 or not rewards:
            return super().aggregate(metric, rewards)
        total = self.add([next(iter(reward.values())) if reward else 0 for reward in rewards])
        return {metric: total / len(rewards) if metric == "mean" else total}

    def right(self, numbers: list[Number]) -> Number:
        """The right sum."""
        return exact_sum(numbers, self.series)


class AddsOneByOne(_SumFault):
    """Adds in a loop, as most languages do."""

    breaks = "summation/compensated"
    add = staticmethod(one_by_one)


class AddsExactly(_SumFault):
    """Adds with `math.fsum`."""

    breaks = "summation/compensated"

    def add(self, numbers: list[Number]) -> Number:
        if all(isinstance(number, float) and math.isfinite(number) for number in numbers):
            try:
                return math.fsum(numbers)
            except OverflowError:
                pass
        return self.right(numbers)


class AddsInPairs(_SumFault):
    """Adds halves of halves, as NumPy does."""

    breaks = "summation/compensated"

    def add(self, numbers: list[Number]) -> Number:
        if len(numbers) < 3 or not all(isinstance(number, float) for number in numbers):
            return self.right(numbers)
        half = len(numbers) // 2
        return self.add(numbers[:half]) + self.add(numbers[half:])


class OtherSeriesSums(_SumFault):
    """Adds as another interpreter series does."""

    breaks = "summation/mixed"

    def add(self, numbers: list[Number]) -> Number:
        return exact_sum(numbers, self.other_series)


class BigIntegersAsDoubles(_SumFault):
    """Makes a float of every int that does not fit 64 bits."""

    breaks = "summation/beyond-long"

    def add(self, numbers: list[Number]) -> Number:
        def narrowed(number: Number) -> Number:
            return float(number) if 2**63 <= abs(number) < 2**1000 else number

        return self.right([narrowed(number) for number in numbers])


class OverflowIsInfinite(_SumFault):
    """Gives inf where an int is too large for a float."""

    breaks = "summation/beyond-double"

    def aggregate(self, metric: str, rewards: Sequence[Rewards | None]) -> Rewards:
        try:
            return super().aggregate(metric, rewards)
        except OverflowError:
            return {metric: math.inf}

    def add(self, numbers: list[Number]) -> Number:
        return self.right(numbers)


class CorrectsInfinities(_SumFault):
    """Adds the compensation to an infinite sum too, which makes it nan."""

    breaks = "summation/infinite"

    def add(self, numbers: list[Number]) -> Number:
        total = self.right(numbers)
        return math.nan if isinstance(total, float) and math.isinf(total) and len(numbers) > 1 else total


class IntegersThroughDoubles(_SumFault):
    """Adds ints as doubles."""

    breaks = "summation/integers"

    def add(self, numbers: list[Number]) -> Number:
        if all(isinstance(number, int) and abs(number) < 2**63 for number in numbers):
            return int(one_by_one([float(number) for number in numbers]))
        return self.right(numbers)


class KeepsNegativeZero(_SumFault):
    """Starts a sum from its first number instead of from 0."""

    breaks = "summation/sign-of-zero"

    def add(self, numbers: list[Number]) -> Number:
        minus = [number for number in numbers if number == 0 and math.copysign(1, number) < 0]
        return -0.0 if numbers and len(minus) == len(numbers) else self.right(numbers)
