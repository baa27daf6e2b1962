"""What faulty runners have in common that get multi-step trials wrong."""

from collections.abc import Callable
from dataclasses import replace

from parity.scorer import MultiStepTrial, Rewards, Step, TrialReward
from parity.scorer.trial_reward import StepRecord
from tests.faulty.fault import Fault


class StepFault(Fault):
    """A runner that gets multi-step trials wrong."""

    seen_by = "test_steps"

    def with_steps(self, trial: MultiStepTrial, change: Callable[[Step], Step]) -> TrialReward:
        """The trial's rewards with every step changed beforehand."""
        return super().trial_reward(replace(trial, steps=tuple(map(change, trial.steps))))

    def with_mean(self, trial: MultiStepTrial, mean: Callable[[list[StepRecord]], Rewards | None]) -> TrialReward:
        """The trial's rewards with another mean over its steps, where there is one."""
        answer = super().trial_reward(trial)
        if trial.strategy == "final" or not answer["verified"] or answer["steps"] is None:
            return answer
        return {**answer, "rewards": mean(answer["steps"])}
