"""Decorators for faulty runners of multi-step trials."""

from collections.abc import Callable
from dataclasses import replace
from functools import wraps

from parity.runners import CleanRoom
from parity.scorer import MultiStepTrial, Rewards, Step, TrialReward
from parity.scorer.trial_reward import StepRecord
from tests.faulty.fault import Answer


def each_step(change: Callable[[Step], Step]) -> Answer:
    """Records a trial after this change to each step."""

    @wraps(change)
    def trial_reward(right: CleanRoom, trial: MultiStepTrial) -> TrialReward:
        return right.trial_reward(replace(trial, steps=tuple(map(change, trial.steps))))

    return trial_reward


def another_mean(mean: Callable[[list[StepRecord]], Rewards | None]) -> Answer:
    """What is recorded of a trial, with another mean over its steps where there is one."""

    @wraps(mean)
    def trial_reward(right: CleanRoom, trial: MultiStepTrial) -> TrialReward:
        answer = right.trial_reward(trial)
        if trial.strategy == "final" or not answer["verified"] or answer["steps"] is None:
            return answer
        return {**answer, "rewards": mean(answer["steps"])}

    return trial_reward


def verified(records: list[StepRecord]) -> list[Rewards]:
    """The rewards of the steps that have a result."""
    return [record["rewards"] or {} for record in records if record["verified"]]
