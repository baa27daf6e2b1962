"""Faults that only show where there are many trials or keys, or long ones."""

from collections.abc import Sequence

from parity.runners import CleanRoom
from parity.scorer import Rewards
from tests.faulty.addition import in_pairs
from tests.faulty.fault import breaks


@breaks("summation/compensated", seen_by="test_sizes")
def AddsManyInPairs(right: CleanRoom, metric: str, rewards: Sequence[Rewards | None]) -> Rewards:
    """Adds 32 floats or more as halves of halves, and fewer as `sum` does."""
    numbers = [number for reward in rewards for number in (reward or {}).values()]
    floats = all(isinstance(number, float) for number in numbers)
    if metric not in ("mean", "sum") or not floats or len(rewards) < 32 or {len(r or {}) for r in rewards} != {1}:
        return right.aggregate(metric, rewards)
    total = in_pairs(numbers)
    return {metric: total / len(numbers) if metric == "mean" else total}


@breaks("aggregate/value", seen_by="test_sizes")
def ReadsAHundredTrials(right: CleanRoom, metric: str, rewards: Sequence[Rewards | None]) -> Rewards:
    """Takes the first page of a hundred trials for all."""
    return right.aggregate(metric, rewards[:100])


@breaks("aggregate/several-keys", seen_by="test_sizes")
def SixteenMetrics(right: CleanRoom, metric: str, rewards: Sequence[Rewards | None]) -> Rewards:
    """Gives a metric for sixteen keys."""
    return dict(list(right.aggregate(metric, rewards).items())[:16])


@breaks("aggregate/several-keys", seen_by="test_sizes")
def CutsLongMetricKeys(right: CleanRoom, metric: str, rewards: Sequence[Rewards | None]) -> Rewards:
    """Cuts a key after 64 characters, so that long ones are one."""
    return {key[:64]: number for key, number in right.aggregate(metric, rewards).items()}
