"""Faults in the life of a multi-step trial: errors, thresholds, and what is recorded."""

from collections.abc import Mapping
from dataclasses import replace

from parity.runners import CleanRoom
from parity.scorer import MultiStepTrial, Step, TrialReward
from tests.faulty.fault import breaks
from tests.faulty.trial_reward.fault import each_step


@breaks("trial-reward/start-error", seen_by="test_steps")
def StartErrorsHaveSteps(right: CleanRoom, trial: MultiStepTrial) -> TrialReward:
    """Records an empty list of steps where the environment did not start."""
    answer = right.trial_reward(trial)
    return {**answer, "steps": answer["steps"] or []}


@breaks("trial-reward/stop-error", seen_by="test_steps")
def StopErrorsAreIgnored(right: CleanRoom, trial: MultiStepTrial) -> TrialReward:
    """Does not record that the environment did not stop."""
    return right.trial_reward(replace(trial, stop=None))


@breaks("trial-reward/escaping-error", seen_by="test_steps")
@each_step
def PreparationEndsOnlyTheStep(step: Step) -> Step:
    """Takes every error of the preparation for the step's."""
    return replace(step, preparation=("setup", step.preparation[1])) if step.preparation else step


@breaks("trial-reward/blocked-folder", seen_by="test_steps")
@each_step
def BlockedFoldersDoNotMatter(step: Step) -> Step:
    """Goes on where a step's files could not be moved."""
    return replace(step, blocked=False)


@breaks("trial-reward/preparation-error", seen_by="test_steps")
@each_step
def SetUpDoesNotMatter(step: Step) -> Step:
    """Runs a step although its preparation failed."""
    recorded = step.preparation and step.preparation[1] in ("RuntimeError", "HealthcheckError")
    return replace(step, preparation=None) if recorded else step


@breaks("trial-reward/first-error", seen_by="test_steps")
def LastErrorWins(right: CleanRoom, trial: MultiStepTrial) -> TrialReward:
    """Records the verifier's error over the agent's."""
    steps = (replace(step, agent=None) if step.verifier and trial.verification else step for step in trial.steps)
    return right.trial_reward(replace(trial, steps=tuple(steps)))


@breaks("trial-reward/agent-timeout", seen_by="test_steps")
def AgentTimeoutsKeepTheirName(right: CleanRoom, trial: MultiStepTrial) -> TrialReward:
    """Records the agent's own TimeoutError."""
    answer = right.trial_reward(trial)
    for step, record in zip(trial.steps, answer["steps"] or [], strict=False):
        if step.agent == "TimeoutError" and record["exception"] == "AgentTimeoutError":
            record["exception"] = "TimeoutError"
    return answer


@breaks("trial-reward/verifier-timeout", seen_by="test_steps")
@each_step
def VerifierTimeoutsAreRenamed(step: Step) -> Step:
    """Records a step's verifier timeout as a single-step trial would."""
    return replace(step, verifier="VerifierTimeoutError") if step.verifier == "TimeoutError" else step


@breaks("trial-reward/verification-disabled", seen_by="test_steps")
def DisabledVerificationStillGates(right: CleanRoom, trial: MultiStepTrial) -> TrialReward:
    """Stops at a threshold although nothing is verified."""
    answer = right.trial_reward(trial)
    if trial.verification or answer["steps"] is None:
        return answer
    gates = [i for i, step in enumerate(trial.steps[: len(answer["steps"])]) if step.min_reward is not None]
    return {**answer, "steps": answer["steps"][: gates[0] + 1]} if gates else answer


@breaks("trial-reward/threshold-beyond-2**53", seen_by="test_steps")
@each_step
def IntThresholdsAreExact(step: Step) -> Step:
    """Compares with an int threshold as it is written."""
    exact = step.min_reward
    missed = type(exact) is int and float(exact) <= (step.rewards or {}).get("reward", float("-inf")) < exact
    return replace(step, min_reward=float("inf")) if missed else step


def _thresholds(step: Step) -> dict[str, int | float]:
    """Reward key to the least that the step demands of it."""
    thresholds = step.min_reward if isinstance(step.min_reward, Mapping) else {"reward": step.min_reward}
    return {key: bound for key, bound in thresholds.items() if bound is not None}


@breaks("trial-reward/threshold-nan", seen_by="test_steps")
@each_step
def NansMissThresholds(step: Step) -> Step:
    """Asks whether the reward is at least the threshold, which a nan never is."""
    thresholds = _thresholds(step)
    rewards = step.rewards or {}
    for key, bound in thresholds.items():
        if not rewards.get(key, float("-inf")) >= bound:
            return replace(step, min_reward={"no such key": 0.0})
    return step


@breaks("trial-reward/threshold-without-reward", seen_by="test_steps")
@each_step
def MissingRewardsAreZero(step: Step) -> Step:
    """Compares a missing reward with its threshold as 0."""
    thresholds = _thresholds(step)
    rewards = step.rewards or {}
    met = {key: bound for key, bound in thresholds.items() if 0 >= bound > float("-inf")}
    kept = {key: bound for key, bound in thresholds.items() if key in rewards or key not in met}
    return step if step.min_reward is None else replace(step, min_reward=kept)


@breaks("trial-reward/threshold-met", seen_by="test_steps")
@each_step
def ThresholdsMustBeBeaten(step: Step) -> Step:
    """Stops where a reward is no more than its threshold."""
    thresholds = _thresholds(step)
    met = any((step.rewards or {}).get(key) == bound for key, bound in thresholds.items())
    return replace(step, min_reward=float("inf")) if met and step.verifier is None else step


@breaks("trial-reward/threshold-keys", seen_by="test_steps")
@each_step
def OneThresholdIsEnough(step: Step) -> Step:
    """Goes on where any of several thresholds is met."""
    if not isinstance(step.min_reward, Mapping):
        return step
    met = [key for key, bound in step.min_reward.items() if (step.rewards or {}).get(key, -1e400) >= bound]
    return replace(step, min_reward=None) if met else step


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
    """Goes on after a step without a result."""
    answer = right.trial_reward(trial)
    steps = answer["steps"]
    if steps and steps[-1]["exception"] and len(steps) < len(trial.steps) and not answer["exception"]:
        steps.append({"verified": False, "rewards": None, "exception": None})
    return answer


@breaks("trial-reward/steps-left-out", seen_by="test_steps")
def StepsLeftOutAreListed(right: CleanRoom, trial: MultiStepTrial) -> TrialReward:
    """Records the steps that were not reached, without a result."""
    answer = right.trial_reward(trial)
    if answer["steps"] is not None:
        for _ in trial.steps[len(answer["steps"]) :]:
            answer["steps"].append({"verified": False, "rewards": None, "exception": None})
    return answer


@breaks("trial-reward/step-errors-stay", seen_by="test_steps")
def StepErrorsAreTheTrials(right: CleanRoom, trial: MultiStepTrial) -> TrialReward:
    """Records the last step's error as the trial's."""
    answer = right.trial_reward(trial)
    last = answer["steps"][-1]["exception"] if answer["steps"] else None
    return {**answer, "exception": answer["exception"] or last}
