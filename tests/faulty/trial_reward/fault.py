"""Decorators and functions for the faulty runners of multi-step trials."""

from collections.abc import Callable
from dataclasses import replace
from functools import wraps

from parity.runners import CleanRoom
from parity.scorer import MultiStepTrial, Rewards, Step, TrialReward
from parity.scorer.trial_reward import StepReward
from tests.faulty.fault import Answer


def each_step(change: Callable[[Step], Step]) -> Answer:
    """Make a `trial_reward` that changes every step before it computes the correct record."""

    @wraps(change)
    def trial_reward(right: CleanRoom, trial: MultiStepTrial) -> TrialReward:
        return right.trial_reward(replace(trial, steps=tuple(map(change, trial.steps))))

    return trial_reward


def another_mean(mean: Callable[[list[StepReward]], Rewards | None]) -> Answer:
    """Make a `trial_reward` that replaces the mean over the steps, if the correct record has one."""

    @wraps(mean)
    def trial_reward(right: CleanRoom, trial: MultiStepTrial) -> TrialReward:
        answer = right.trial_reward(trial)
        if trial.strategy == "final" or not answer["verified"] or answer["steps"] is None:
            return answer
        return {**answer, "rewards": mean(answer["steps"])}

    return trial_reward


def verified(records: list[StepReward]) -> list[Rewards]:
    """Return the rewards of the steps that have a verifier result."""
    return [record["rewards"] or {} for record in records if record["verified"]]
