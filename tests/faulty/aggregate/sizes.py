"""Faults that only show where there are many trials or keys, or long ones."""

from collections.abc import Sequence

from parity.scorer import Rewards
from tests.faulty.addition import in_pairs
from tests.faulty.fault import Fault


class _MetricFault(Fault):
    seen_by = "test_sizes"


class AddsManyInPairs(_MetricFault):
    """Adds 32 floats or more as halves of halves, and fewer as `sum` does."""

    breaks = "summation/compensated"

    def aggregate(self, metric: str, rewards: Sequence[Rewards | None]) -> Rewards:
        numbers = [number for reward in rewards for number in (reward or {}).values()]
        floats = all(isinstance(number, float) for number in numbers)
        if metric not in ("mean", "sum") or not floats or len(rewards) < 32 or {len(r or {}) for r in rewards} != {1}:
            return super().aggregate(metric, rewards)
        total = in_pairs(numbers)
        return {metric: total / len(numbers) if metric == "mean" else total}


class ReadsAHundredTrials(_MetricFault):
    """Takes the first page of a hundred trials for all."""

    breaks = "aggregate/value"

    def aggregate(self, metric: str, rewards: Sequence[Rewards | None]) -> Rewards:
        return super().aggregate(metric, rewards[:100])


class SixteenMetrics(_MetricFault):
    """Gives a metric for sixteen keys."""

    breaks = "aggregate/several-keys"

    def aggregate(self, metric: str, rewards: Sequence[Rewards | None]) -> Rewards:
        return dict(list(super().aggregate(metric, rewards).items())[:16])


class CutsLongMetricKeys(_MetricFault):
    """Cuts a key after 64 characters, so that long ones are one."""

    breaks = "aggregate/several-keys"

    def aggregate(self, metric: str, rewards: Sequence[Rewards | None]) -> Rewards:
        return {key[:64]: number for key, number in super().aggregate(metric, rewards).items()}
