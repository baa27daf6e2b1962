"""Faults that no answer shows: runners that change what they are given."""

from collections.abc import Sequence

from parity.scorer import Rewards
from tests.faulty.fault import Fault


class SortsItsArguments(Fault):
    """Sorts the trials' rewards in place, largest first."""

    breaks = "aggregate/leaves-its-input-alone"
    seen_by = "test_trials"

    def aggregate(self, metric: str, rewards: Sequence[Rewards | None]) -> Rewards:
        answer = super().aggregate(metric, rewards)
        assert isinstance(rewards, list)
        rewards.sort(key=lambda reward: sorted(reward) if reward else [], reverse=True)
        return answer


class WidensInts(Fault):
    """Makes floats of the ints that it is given; no number is another one, but its type."""

    breaks = "aggregate/leaves-its-input-alone"
    seen_by = "test_numbers"

    def aggregate(self, metric: str, rewards: Sequence[Rewards | None]) -> Rewards:
        answer = super().aggregate(metric, rewards)
        for reward in filter(None, rewards):
            for key, number in reward.items():
                reward[key] = float(number) if abs(number) < 2**53 else number
        return answer
