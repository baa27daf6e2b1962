"""Faults that no answer shows: runners that change what they are given."""

from collections.abc import Sequence

from parity.runners import CleanRoom
from parity.scorer import Rewards
from tests.faulty.fault import breaks


@breaks("aggregate/leaves-its-input-alone", seen_by="test_trials")
def SortsItsArguments(right: CleanRoom, metric: str, rewards: Sequence[Rewards | None]) -> Rewards:
    """Sorts the trials' rewards in place, largest first."""
    answer = right.aggregate(metric, rewards)
    assert isinstance(rewards, list)
    rewards.sort(key=lambda reward: sorted(reward) if reward else [], reverse=True)
    return answer


@breaks("aggregate/leaves-its-input-alone", seen_by="test_numbers")
def WidensInts(right: CleanRoom, metric: str, rewards: Sequence[Rewards | None]) -> Rewards:
    """Makes floats of the ints that it is given; no number is another one, but its type."""
    answer = right.aggregate(metric, rewards)
    for reward in filter(None, rewards):
        for key, number in reward.items():
            reward[key] = float(number) if abs(number) < 2**53 else number
    return answer
