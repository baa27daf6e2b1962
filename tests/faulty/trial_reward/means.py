"""Faults in what a multi-step trial makes of its steps."""

from dataclasses import replace
from typing import Any

from parity.scorer import MultiStepTrial, Rewards, TrialReward, exact_sum, trial_reward
from parity.scorer.trial_reward import StepRecord
from tests.faulty.fault import Fault
from tests.faulty.trial_reward.fault import StepFault


def _verified(records: list[StepRecord]) -> list[Rewards]:
    return [record["rewards"] or {} for record in records if record["verified"]]


def _mean(rewards: list[Rewards], count: int) -> Rewards:
    keys = dict.fromkeys(key for each in rewards for key in each)
    return {key: float(exact_sum([each.get(key, 0) for each in rewards], Fault().series) / count) for key in keys}


class StepRewardsAreFloats(StepFault):
    """Records a step's rewards as floats."""

    breaks = "trial-reward/step-record"

    def trial_reward(self, trial: MultiStepTrial) -> TrialReward:
        answer = super().trial_reward(trial)
        for record in answer["steps"] or []:
            if record["rewards"] and all(abs(value) < 2**53 for value in record["rewards"].values()):
                record["rewards"] = {key: float(value) for key, value in record["rewards"].items()}
        return answer


class FinalIsTheLastVerified(StepFault):
    """Takes the last step that has a result."""

    breaks = "trial-reward/final"

    def trial_reward(self, trial: MultiStepTrial) -> TrialReward:
        answer = super().trial_reward(trial)
        verified = [record for record in answer["steps"] or [] if record["verified"]]
        if trial.strategy != "final" or not verified:
            return answer
        return {**answer, "verified": True, "rewards": verified[-1]["rewards"]}


class NoKeysGiveEmptyRewards(StepFault):
    """Gives `{}` where no step has any key."""

    breaks = "trial-reward/no-keys"

    def trial_reward(self, trial: MultiStepTrial) -> TrialReward:
        answer = super().trial_reward(trial)
        empty = trial.strategy != "final" and answer["exception"] is None and not answer["verified"]
        if empty and any(record["verified"] for record in answer["steps"] or []):
            return {**answer, "verified": True, "rewards": {}}
        return answer


class StepOverflowIsInfinite(StepFault):
    """Gives infinity where a mean is beyond a double."""

    breaks = "trial-reward/overflow"

    def trial_reward(self, trial: MultiStepTrial) -> TrialReward:
        answer = super().trial_reward(trial)
        if answer["exception"] != "OverflowError":
            return answer
        keys = {key for record in answer["steps"] or [] for key in record["rewards"] or {}}
        return {**answer, "verified": True, "rewards": dict.fromkeys(keys, float("inf")), "exception": trial.stop}


class OnlyCommonKeys(StepFault):
    """Takes the mean of the keys that all steps have."""

    breaks = "trial-reward/keys"

    def trial_reward(self, trial: MultiStepTrial) -> TrialReward:
        def mean(records: list[StepRecord]) -> Rewards:
            rewards = _verified(records)
            common = set.intersection(*(set(each) for each in rewards))
            return {key: value for key, value in _mean(rewards, len(rewards)).items() if key in common}

        return self.with_mean(trial, mean)


class MeansOfIntsAreInts(StepFault):
    """Gives an int where the mean is whole."""

    breaks = "trial-reward/type"

    def trial_reward(self, trial: MultiStepTrial) -> TrialReward:
        def mean(records: list[StepRecord]) -> Rewards:
            rewards = _verified(records)
            means = _mean(rewards, len(rewards))
            ints = all(type(value) is int for each in rewards for value in each.values())
            return {key: int(value) if ints and value == int(value) else value for key, value in means.items()}

        return self.with_mean(trial, mean)


class EmptyStepsAreLeftOut(StepFault):
    """Leaves steps without any reward out of the mean."""

    breaks = "trial-reward/empty-counts"

    def trial_reward(self, trial: MultiStepTrial) -> TrialReward:
        def mean(records: list[StepRecord]) -> Rewards:
            rewards = [each for each in _verified(records) if each]
            return _mean(rewards, len(rewards))

        return self.with_mean(trial, mean)


class UnverifiedStepsCount(StepFault):
    """Divides by all steps that were reached."""

    breaks = "trial-reward/unverified-step"

    def trial_reward(self, trial: MultiStepTrial) -> TrialReward:
        return self.with_mean(trial, lambda records: _mean(_verified(records), len(records)))


class MissingKeysAreLeftOut(StepFault):
    """Divides by the steps that have the key, or no key at all."""

    breaks = "trial-reward/missing-key"

    def trial_reward(self, trial: MultiStepTrial) -> TrialReward:
        def mean(records: list[StepRecord]) -> Rewards:
            rewards = _verified(records)
            columns = {
                key: [each.get(key, 0) for each in rewards if not each or key in each] for key in _mean(rewards, 1)
            }
            return {key: float(exact_sum(column, self.series) / len(column)) for key, column in columns.items()}

        return self.with_mean(trial, mean)


class StepsAreAddedOneByOne(StepFault):
    """Adds the rewards of the steps in a loop."""

    breaks = "trial-reward/summation"

    def trial_reward(self, trial: MultiStepTrial) -> TrialReward:
        def mean(records: list[StepRecord]) -> Rewards:
            rewards = _verified(records)
            totals: dict[str, Any] = {}
            for each in rewards:
                for key, value in each.items():
                    totals[key] = totals.get(key, 0) + value
            return {key: float(total / len(rewards)) for key, total in totals.items()}

        return self.with_mean(trial, mean)


class StepsOfTheOtherSeries(StepFault):
    """Adds the rewards of the steps as the other interpreter series does."""

    breaks = "trial-reward/summation"

    def trial_reward(self, trial: MultiStepTrial) -> TrialReward:
        return trial_reward(trial, series=self.other_series)


class UnsetIsFinal(StepFault):
    """Takes the last step where the task does not say."""

    breaks = "trial-reward/unset-is-mean"

    def trial_reward(self, trial: MultiStepTrial) -> TrialReward:
        return super().trial_reward(replace(trial, strategy=trial.strategy or "final"))


class MeanIsTheBest(StepFault):
    """Takes the best step instead of the mean."""

    breaks = "trial-reward/mean"

    def trial_reward(self, trial: MultiStepTrial) -> TrialReward:
        def mean(records: list[StepRecord]) -> Rewards:
            rewards = _verified(records)
            return {key: float(max(each.get(key, 0) for each in rewards)) for key in _mean(rewards, 1)}

        return self.with_mean(trial, mean)
