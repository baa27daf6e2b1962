"""Faults that only show where there are many steps or keys."""

from parity.scorer import MultiStepTrial, Rewards, TrialReward
from parity.scorer.trial_reward import StepRecord
from tests.faulty.addition import in_pairs
from tests.faulty.trial_reward.fault import StepFault


class AddsManyStepsInPairs(StepFault):
    """Adds the rewards of 32 steps or more as halves of halves."""

    breaks = "trial-reward/summation"
    seen_by = "test_sizes"

    def trial_reward(self, trial: MultiStepTrial) -> TrialReward:
        def mean(records: list[StepRecord]) -> Rewards | None:
            rewards = [record["rewards"] or {} for record in records if record["verified"]]
            keys = dict.fromkeys(key for each in rewards for key in each)
            return {key: float(in_pairs([each.get(key, 0) for each in rewards]) / len(rewards)) for key in keys}

        return self.with_mean(trial, mean) if len(trial.steps) >= 32 else super().trial_reward(trial)


class SixteenStepKeys(StepFault):
    """Takes the mean of sixteen keys."""

    breaks = "trial-reward/keys"
    seen_by = "test_sizes"

    def trial_reward(self, trial: MultiStepTrial) -> TrialReward:
        answer = super().trial_reward(trial)
        rewards = answer["rewards"]
        return {**answer, "rewards": rewards and dict(list(rewards.items())[:16])}
