"""Faults in the shape of metrics, and in what counts."""

from collections.abc import Sequence

from parity.scorer import Rewards
from tests.faulty.fault import Fault

type RewardList = Sequence[Rewards | None]


class _MetricFault(Fault):
    seen_by = "test_trials"

    def keys(self, rewards: RewardList) -> list[str]:
        """All reward keys."""
        return sorted({key for reward in rewards if reward for key in reward})


class NoTrialsIsZero(_MetricFault):
    """Gives 0.0 where there is nothing to average."""

    breaks = "aggregate/no-trials"

    def aggregate(self, metric: str, rewards: RewardList) -> Rewards:
        return super().aggregate(metric, rewards) if rewards else {metric: 0.0}


class SingleKeysAreOne(_MetricFault):
    """Takes trials with one key each for trials with one key in common."""

    breaks = "aggregate/different-single-keys"

    def aggregate(self, metric: str, rewards: RewardList) -> Rewards:
        if all(not reward or len(reward) == 1 for reward in rewards):
            rewards = [{"reward": next(iter(reward.values()))} if reward else reward for reward in rewards]
        return super().aggregate(metric, rewards)


class FileOrder(_MetricFault):
    """Keeps the keys in the order in which they occur."""

    breaks = "aggregate/key-order"
    seen_by = "test_keys"

    def aggregate(self, metric: str, rewards: RewardList) -> Rewards:
        answer = super().aggregate(metric, rewards)
        occurring = dict.fromkeys(key for reward in rewards if reward for key in reward)
        return {key: answer[key] for key in occurring} if len(occurring) > 1 else answer


class Utf16Order(_MetricFault):
    """Sorts keys by UTF-16 code units, as JavaScript does."""

    breaks = "aggregate/key-order"
    seen_by = "test_keys"

    def aggregate(self, metric: str, rewards: RewardList) -> Rewards:
        answer = super().aggregate(metric, rewards)
        return dict(sorted(answer.items(), key=lambda item: item[0].encode("utf-16-be", "surrogatepass")))


class CaselessOrder(_MetricFault):
    """Sorts keys without regard to case."""

    breaks = "aggregate/key-order"
    seen_by = "test_keys"

    def aggregate(self, metric: str, rewards: RewardList) -> Rewards:
        return dict(sorted(super().aggregate(metric, rewards).items(), key=lambda item: item[0].casefold()))


class MetricInEveryKey(_MetricFault):
    """Puts the metric's name before every key."""

    breaks = "aggregate/several-keys"

    def aggregate(self, metric: str, rewards: RewardList) -> Rewards:
        answer = super().aggregate(metric, rewards)
        return {f"{metric}_{key}": number for key, number in answer.items()} if len(answer) > 1 else answer


class KeepsTheOnlyKey(_MetricFault):
    """Names the answer after the reward key, also where there is only one."""

    breaks = "aggregate/single-key"
    seen_by = "test_numbers"

    def aggregate(self, metric: str, rewards: RewardList) -> Rewards:
        answer, keys = super().aggregate(metric, rewards), self.keys(rewards)
        return {keys[0]: answer[metric]} if len(keys) == 1 else answer


class SkipsEmptyRewards(_MetricFault):
    """Leaves out trials whose rewards are `{}`."""

    breaks = "aggregate/empty-is-zero"

    def aggregate(self, metric: str, rewards: RewardList) -> Rewards:
        return super().aggregate(metric, [reward for reward in rewards if reward != {}] or rewards)


class SkipsNullRewards(_MetricFault):
    """Leaves out trials without rewards."""

    breaks = "aggregate/null-is-zero"

    def aggregate(self, metric: str, rewards: RewardList) -> Rewards:
        return super().aggregate(metric, [reward for reward in rewards if reward is not None] or rewards)


class SkipsMissingKeys(_MetricFault):
    """Averages a key over the trials that have it."""

    breaks = "aggregate/missing-key-is-zero"

    def aggregate(self, metric: str, rewards: RewardList) -> Rewards:
        keys = self.keys(rewards)
        if len(keys) < 2:
            return super().aggregate(metric, rewards)
        answer: Rewards = {}
        for key in keys:
            column: list[Rewards | None] = [
                None if not reward else {key: reward[key]} for reward in rewards if not reward or key in reward
            ]
            answer[key] = super().aggregate(metric, column)[metric]
        return answer


class LastOfEquals(_MetricFault):
    """Keeps the last of several equal extremes."""

    breaks = "extreme/first-of-equals"
    seen_by = "test_numbers"

    def aggregate(self, metric: str, rewards: RewardList) -> Rewards:
        extreme = metric in ("max", "min")
        has_nan = any(number != number for reward in rewards if reward for number in reward.values())
        return super().aggregate(metric, rewards[::-1] if extreme and not has_nan else rewards)


class IgnoresNan(_MetricFault):
    """Looks for extremes among the numbers that are not nan."""

    breaks = "extreme/nan"
    seen_by = "test_numbers"

    def aggregate(self, metric: str, rewards: RewardList) -> Rewards:
        if metric in ("max", "min"):
            kept = [r for r in rewards if not r or len(r) != 1 or next(iter(r.values())) == next(iter(r.values()))]
            rewards = kept or rewards
        return super().aggregate(metric, rewards)


class WholeMeansAreIntegers(_MetricFault):
    """Writes a mean of 1.0 as 1."""

    breaks = "aggregate/type"
    seen_by = "test_numbers"

    def aggregate(self, metric: str, rewards: RewardList) -> Rewards:
        answer = super().aggregate(metric, rewards)
        if metric != "mean":
            return answer
        return {
            key: int(number) if isinstance(number, float) and number.is_integer() and number else number
            for key, number in answer.items()
        }


class ForgetsTheLastTrial(_MetricFault):
    """Divides the sum of all but the last trial."""

    breaks = "aggregate/value"
    seen_by = "test_numbers"

    def aggregate(self, metric: str, rewards: RewardList) -> Rewards:
        return super().aggregate(metric, rewards[:-1] if len(rewards) > 1 else rewards)
