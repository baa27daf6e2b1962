"""Faults in the shape of metrics, in their keys, and in the choice of trials and rewards that are aggregated."""

from collections.abc import Sequence

from parity.runners import CleanRoom
from parity.scorer import Rewards
from tests.faulty.fault import breaks

type RewardList = Sequence[Rewards | None]


def _keys(rewards: RewardList) -> list[str]:
    return sorted({key for reward in rewards if reward for key in reward})


@breaks("aggregate/key-order", seen_by="test_keys")
def FileOrder(right: CleanRoom, metric: str, rewards: RewardList) -> Rewards:
    """Returns the keys in the order in which they first occur instead of sorted."""
    answer = right.aggregate(metric, rewards)
    occurring = dict.fromkeys(key for reward in rewards if reward for key in reward)
    return {key: answer[key] for key in occurring} if len(occurring) > 1 else answer


@breaks("aggregate/several-keys", seen_by="test_trials")
def MetricInEveryKey(right: CleanRoom, metric: str, rewards: RewardList) -> Rewards:
    """Puts the metric's name before every key."""
    answer = right.aggregate(metric, rewards)
    return {f"{metric}_{key}": number for key, number in answer.items()} if len(answer) > 1 else answer


@breaks("aggregate/single-key", seen_by="test_numbers")
def KeepsTheOnlyKey(right: CleanRoom, metric: str, rewards: RewardList) -> Rewards:
    """Returns the metric under the reward key instead of the metric's name if there is only one key."""
    answer, keys = right.aggregate(metric, rewards), _keys(rewards)
    return {keys[0]: answer[metric]} if len(keys) == 1 else answer


@breaks("aggregate/empty-is-zero", seen_by="test_trials")
def SkipsEmptyRewards(right: CleanRoom, metric: str, rewards: RewardList) -> Rewards:
    """Leaves out trials whose rewards are `{}`."""
    return right.aggregate(metric, [reward for reward in rewards if reward != {}] or rewards)


@breaks("aggregate/null-is-zero", seen_by="test_trials")
def SkipsNullRewards(right: CleanRoom, metric: str, rewards: RewardList) -> Rewards:
    """Leaves out trials without rewards."""
    return right.aggregate(metric, [reward for reward in rewards if reward is not None] or rewards)


@breaks("aggregate/missing-key-is-zero", seen_by="test_trials")
def SkipsMissingKeys(right: CleanRoom, metric: str, rewards: RewardList) -> Rewards:
    """Aggregates a key only over the trials that have the key."""
    keys = _keys(rewards)
    if len(keys) < 2:
        return right.aggregate(metric, rewards)
    answer: Rewards = {}
    for key in keys:
        column: list[Rewards | None] = [
            None if not reward else {key: reward[key]} for reward in rewards if not reward or key in reward
        ]
        answer[key] = right.aggregate(metric, column)[metric]
    return answer


@breaks("extreme/first-of-equals", seen_by="test_numbers")
def LastOfEquals(right: CleanRoom, metric: str, rewards: RewardList) -> Rewards:
    """Returns the last of several equal extremes instead of the first."""
    extreme = metric in ("max", "min")
    has_nan = any(number != number for reward in rewards if reward for number in reward.values())
    return right.aggregate(metric, rewards[::-1] if extreme and not has_nan else rewards)


@breaks("extreme/nan", seen_by="test_numbers")
def IgnoresNan(right: CleanRoom, metric: str, rewards: RewardList) -> Rewards:
    """Ignores nan when it looks for the largest or smallest number."""
    if metric in ("max", "min"):
        kept = [r for r in rewards if not r or len(r) != 1 or next(iter(r.values())) == next(iter(r.values()))]
        rewards = kept or rewards
    return right.aggregate(metric, rewards)


@breaks("aggregate/type", seen_by="test_numbers")
def WholeMeansAreIntegers(right: CleanRoom, metric: str, rewards: RewardList) -> Rewards:
    """Returns a whole mean as an int, such as 1 instead of 1.0."""
    answer = right.aggregate(metric, rewards)
    if metric != "mean":
        return answer
    return {
        key: int(number) if isinstance(number, float) and number.is_integer() and number else number
        for key, number in answer.items()
    }


@breaks("aggregate/value", seen_by="test_numbers")
def ForgetsTheLastTrial(right: CleanRoom, metric: str, rewards: RewardList) -> Rewards:
    """Leaves out the last trial."""
    return right.aggregate(metric, rewards[:-1] if len(rewards) > 1 else rewards)
