"""Conditions on cases of `trial_reward`, which its rules use."""

import math
from collections.abc import Callable, Iterator, Mapping

from parity.operations.columns import Column
from parity.operations.rule import When
from parity.scorer.trial_reward import MultiStepTrial, Step
from parity.scorer.values import Number, Rewards

_AGENT_TIMEOUTS = ("TimeoutError", "AgentTimeoutError")


def has_start_error(trial: MultiStepTrial) -> bool:
    return trial.start is not None


def has_stop_error(trial: MultiStepTrial) -> bool:
    return trial.stop is not None


def is_unverified(trial: MultiStepTrial) -> bool:
    return not trial.verification


def strategy_is(strategy: str | None) -> When:
    """Build a condition that holds if the trial has this strategy; None stands for a trial without a strategy."""
    return lambda trial: trial.strategy == strategy


# Conditions on the steps that the trial reaches.


def _reached(trial: MultiStepTrial) -> list[Step]:
    """Return the steps up to the first one that ends the trial."""
    if trial.start is not None:
        return []
    ends = (number for number, step in enumerate(trial.steps, 1) if _ends_trial(step, trial.verification))
    return list(trial.steps[: next(ends, None)])


def _ends_trial(step: Step, verification: bool) -> bool:
    """Return whether no step runs after this one."""
    if step.preparation is not None or not verification:
        return step.preparation is not None or step.agent is not None
    if step.blocked or step.verifier is not None:
        return True
    rewards = step.rewards or {}
    bounds = ((rewards.get(key, -math.inf), bound) for key, bound in _bounds(step).items())
    return any(bound is not None and reward < float(bound) for reward, bound in bounds)


def _bounds(step: Step) -> Mapping[str, Number | None]:
    """Return the step's thresholds by reward key."""
    return step.min_reward if isinstance(step.min_reward, Mapping) else {"reward": step.min_reward}


def leaves_out_steps(trial: MultiStepTrial) -> bool:
    return len(_reached(trial)) < len(trial.steps)


def fails_before(*parts: str) -> When:
    """Build a condition that holds if one of these parts of a step's preparation fails."""
    return lambda trial: any(step.preparation and step.preparation[0] in parts for step in _reached(trial))


def _verifier_error(step: Step, trial: MultiStepTrial) -> str | None:
    return step.verifier if trial.verification else None


def has_step(holds: Callable[[Step, MultiStepTrial], bool]) -> When:
    """Build a condition that holds if the predicate holds for a step whose preparation succeeds, and for the trial."""
    return lambda trial: any(holds(step, trial) for step in _reached(trial) if step.preparation is None)


def is_blocked(step: Step, trial: MultiStepTrial) -> bool:
    return step.blocked and trial.verification


def has_two_errors(step: Step, trial: MultiStepTrial) -> bool:
    """Return whether both the agent and the verifier fail."""
    return step.agent is not None and _verifier_error(step, trial) is not None


def has_agent_timeout(step: Step, trial: MultiStepTrial) -> bool:
    return step.agent in _AGENT_TIMEOUTS


def has_verifier_timeout(step: Step, trial: MultiStepTrial) -> bool:
    return _verifier_error(step, trial) == "TimeoutError"


def has_error(step: Step, trial: MultiStepTrial) -> bool:
    """Return whether the agent or the verifier fails."""
    return step.agent is not None or _verifier_error(step, trial) is not None


_has_failing_step = has_step(has_error)
_fails_in_preparation = fails_before("setup", "healthcheck")


def has_step_error(trial: MultiStepTrial) -> bool:
    """Return whether a step has an error in its set-up, healthcheck, agent or verifier."""
    return _has_failing_step(trial) or _fails_in_preparation(trial)


# Conditions on thresholds.


def has_threshold(holds: Callable[[Number | None, Number], bool]) -> When:
    """Build a condition that holds if the predicate holds for a reward and its threshold."""
    return has_step(lambda step, trial: any(holds(*pair) for pair in _thresholds(step)))


def _thresholds(step: Step) -> Iterator[tuple[Number | None, Number]]:
    rewards = (step.rewards if step.verifier is None else None) or {}
    for key, bound in _bounds(step).items():
        if bound is not None:
            yield rewards.get(key), bound


def is_inexact(reward: Number | None, bound: Number) -> bool:
    """Return whether the threshold is an int that a double may not represent exactly."""
    return isinstance(bound, int) and abs(bound) > 2**53


def is_nan(reward: Number | None, bound: Number) -> bool:
    return bound != bound or reward != reward


def lacks_reward(reward: Number | None, bound: Number) -> bool:
    return reward is None


def is_met_exactly(reward: Number | None, bound: Number) -> bool:
    return reward == bound


def has_thresholds_by_key(step: Step, trial: MultiStepTrial) -> bool:
    return isinstance(step.min_reward, Mapping)


def has_one_threshold(step: Step, trial: MultiStepTrial) -> bool:
    return step.min_reward is not None and not isinstance(step.min_reward, Mapping)


# Conditions on the rewards of verified steps.


def _verified(trial: MultiStepTrial) -> list[Rewards | None]:
    if not trial.verification:
        return []
    return [step.rewards for step in _reached(trial) if step.preparation is None and step.verifier is None]


def _keys(trial: MultiStepTrial) -> list[str]:
    return list(dict.fromkeys(key for rewards in _verified(trial) for key in rewards or {}))


def has_no_keys(trial: MultiStepTrial) -> bool:
    """Return whether there are verified steps, but none of them has a reward key."""
    return bool(_verified(trial)) and not _keys(trial)


def has_several_keys(trial: MultiStepTrial) -> bool:
    return len(_keys(trial)) > 1


def has_empty_rewards(trial: MultiStepTrial) -> bool:
    """Return whether the rewards of a verified step are null or empty."""
    return not all(_verified(trial))


def has_unverified_step(trial: MultiStepTrial) -> bool:
    """Return whether some steps are verified, but not all of them."""
    return 0 < len(_verified(trial)) < len(_reached(trial))


def lacks_key(trial: MultiStepTrial) -> bool:
    """Return whether a verified step lacks a reward key that another verified step has."""
    return any(key not in (rewards or {}) for rewards in _verified(trial) for key in _keys(trial))


def adds(holds: Callable[[Column], bool]) -> When:
    """Build a condition that holds if the predicate holds for the rewards of verified steps under one key."""

    def condition(trial: MultiStepTrial) -> bool:
        verified = _verified(trial)
        return any(holds([(rewards or {}).get(key, 0) for rewards in verified]) for key in _keys(trial))

    return condition
