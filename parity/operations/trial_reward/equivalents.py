"""Functions that build equivalent cases of `trial_reward`, by which attribution finds the rule that a runner breaks."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from parity.scorer.trial_reward import MultiStepTrial, Step


def _steps(change: Callable[[Step], Step]) -> Callable[[MultiStepTrial], MultiStepTrial]:
    return lambda case: replace(case, steps=tuple(map(change, case.steps)))


def _rounded_threshold(step: Step) -> Step:
    if isinstance(step.min_reward, Mapping):
        return replace(step, min_reward={key: float(bound) for key, bound in step.min_reward.items()})
    return step if step.min_reward is None else replace(step, min_reward=float(step.min_reward))


def without_thresholds_if_unverified(case: MultiStepTrial) -> MultiStepTrial:
    return case if case.verification else _steps(lambda step: replace(step, min_reward=None))(case)


def _harbor_timeout(step: Step) -> Step:
    return replace(step, agent="AgentTimeoutError") if step.agent == "TimeoutError" else step


def with_strategy(case: MultiStepTrial) -> MultiStepTrial:
    return replace(case, strategy=case.strategy or "mean")


with_agent_timeout = _steps(_harbor_timeout)
with_rounded_thresholds = _steps(_rounded_threshold)
