"""Faults in a multi-step trial's errors, thresholds and records of steps."""

from collections.abc import Mapping
from dataclasses import replace

from parity.runners import CleanRoom
from parity.scorer import MultiStepTrial, Step, TrialReward
from tests.faulty.fault import breaks
from tests.faulty.trial_reward.fault import each_step


@breaks("trial-reward/escaping-error", seen_by="test_steps")
@each_step
def PreparationEndsOnlyTheStep(step: Step) -> Step:
    """Records every preparation error in the step only, and never lets it end the trial."""
    return replace(step, preparation=("setup", step.preparation[1])) if step.preparation else step


@breaks("trial-reward/preparation-error", seen_by="test_steps")
@each_step
def SetUpDoesNotMatter(step: Step) -> Step:
    """Runs a step although its preparation failed."""
    recorded = step.preparation and step.preparation[1] in ("RuntimeError", "HealthcheckError")
    return replace(step, preparation=None) if recorded else step


@breaks("trial-reward/first-error", seen_by="test_steps")
def LastErrorWins(right: CleanRoom, trial: MultiStepTrial) -> TrialReward:
    """Records the verifier's error instead of the agent's if both fail."""
    steps = (replace(step, agent=None) if step.verifier and trial.verification else step for step in trial.steps)
    return right.trial_reward(replace(trial, steps=tuple(steps)))


@breaks("trial-reward/agent-timeout", seen_by="test_steps")
def AgentTimeoutsKeepTheirName(right: CleanRoom, trial: MultiStepTrial) -> TrialReward:
    """Records the agent's TimeoutError instead of Harbor's AgentTimeoutError."""
    answer = right.trial_reward(trial)
    for step, record in zip(trial.steps, answer["steps"] or [], strict=False):
        if step.agent == "TimeoutError" and record["exception"] == "AgentTimeoutError":
            record["exception"] = "TimeoutError"
    return answer


@breaks("trial-reward/verification-disabled", seen_by="test_steps")
def DisabledVerificationStillGates(right: CleanRoom, trial: MultiStepTrial) -> TrialReward:
    """Ends the trial at the first step with a threshold although verification is disabled."""
    answer = right.trial_reward(trial)
    if trial.verification or answer["steps"] is None:
        return answer
    gates = [i for i, step in enumerate(trial.steps[: len(answer["steps"])]) if step.min_reward is not None]
    return {**answer, "steps": answer["steps"][: gates[0] + 1]} if gates else answer


@breaks("trial-reward/threshold-beyond-2**53", seen_by="test_steps")
@each_step
def IntThresholdsAreExact(step: Step) -> Step:
    """Compares rewards with an exact int threshold instead of converting the threshold to a float."""
    exact = step.min_reward
    missed = type(exact) is int and float(exact) <= (step.rewards or {}).get("reward", float("-inf")) < exact
    return replace(step, min_reward=float("inf")) if missed else step


def _thresholds(step: Step) -> dict[str, int | float]:
    """Return the smallest reward that the step requires for each reward key."""
    thresholds = step.min_reward if isinstance(step.min_reward, Mapping) else {"reward": step.min_reward}
    return {key: bound for key, bound in thresholds.items() if bound is not None}


@breaks("trial-reward/threshold-nan", seen_by="test_steps")
@each_step
def NansMissThresholds(step: Step) -> Step:
    """Checks whether the reward is at least the threshold, which is never true for nan."""
    thresholds = _thresholds(step)
    rewards = step.rewards or {}
    for key, bound in thresholds.items():
        if not rewards.get(key, float("-inf")) >= bound:
            return replace(step, min_reward={"no such key": 0.0})
    return step


@breaks("trial-reward/threshold-met", seen_by="test_steps")
@each_step
def ThresholdsMustBeBeaten(step: Step) -> Step:
    """Ends the trial if a reward equals its threshold."""
    thresholds = _thresholds(step)
    met = any((step.rewards or {}).get(key) == bound for key, bound in thresholds.items())
    return replace(step, min_reward=float("inf")) if met and step.verifier is None else step


@breaks("trial-reward/threshold-number", seen_by="test_steps")
@each_step
def BestRewardIsGated(step: Step) -> Step:
    """Compares a single threshold with the largest reward, whatever its key."""
    if not isinstance(step.min_reward, int | float) or not step.rewards:
        return step
    best = max(step.rewards, key=lambda key: (step.rewards or {})[key])
    return replace(step, min_reward={best: step.min_reward})


@breaks("trial-reward/error-without-result", seen_by="test_steps")
def ErrorsNeverStop(right: CleanRoom, trial: MultiStepTrial) -> TrialReward:
    """Continues the trial after a step with an error and without a verifier result."""
    answer = right.trial_reward(trial)
    steps = answer["steps"]
    if steps and steps[-1]["exception"] and len(steps) < len(trial.steps) and not answer["exception"]:
        steps.append({"verified": False, "rewards": None, "exception": None})
    return answer


@breaks("trial-reward/steps-left-out", seen_by="test_steps")
def StepsLeftOutAreListed(right: CleanRoom, trial: MultiStepTrial) -> TrialReward:
    """Records steps that did not run, without a verifier result."""
    answer = right.trial_reward(trial)
    if answer["steps"] is not None:
        for _ in trial.steps[len(answer["steps"]) :]:
            answer["steps"].append({"verified": False, "rewards": None, "exception": None})
    return answer


@breaks("trial-reward/step-errors-stay", seen_by="test_steps")
def StepErrorsAreTheTrials(right: CleanRoom, trial: MultiStepTrial) -> TrialReward:
    """Records the last step's error as the trial's error."""
    answer = right.trial_reward(trial)
    last = answer["steps"][-1]["exception"] if answer["steps"] else None
    return {**answer, "exception": answer["exception"] or last}
