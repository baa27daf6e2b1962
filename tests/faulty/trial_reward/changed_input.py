"""Faults that no answer shows: runners that change what they are given."""

from parity.scorer import MultiStepTrial, TrialReward
from tests.faulty.fault import Fault, sort_keys


class SortsThresholds(Fault):
    """Sorts the keys of every step's thresholds in place."""

    breaks = "trial-reward/leaves-its-input-alone"
    seen_by = "test_steps"

    def trial_reward(self, trial: MultiStepTrial) -> TrialReward:
        answer = super().trial_reward(trial)
        for step in trial.steps:
            sort_keys(step.min_reward)
        return answer
