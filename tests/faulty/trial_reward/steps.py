"""Faults in the life of a multi-step trial: errors, thresholds, and what is recorded."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from parity.scorer import MultiStepTrial, Step, TrialReward
from tests.faulty.trial_reward.fault import StepFault


class StartErrorsHaveSteps(StepFault):
    """Records an empty list of steps where the environment did not start."""

    breaks = "trial-reward/start-error"

    def trial_reward(self, trial: MultiStepTrial) -> TrialReward:
        answer = super().trial_reward(trial)
        return {**answer, "steps": answer["steps"] or []}


class StopErrorsAreIgnored(StepFault):
    """Does not record that the environment did not stop."""

    breaks = "trial-reward/stop-error"

    def trial_reward(self, trial: MultiStepTrial) -> TrialReward:
        return super().trial_reward(replace(trial, stop=None))


class StopErrorsLoseRewards(StepFault):
    """Drops the rewards when the environment did not stop."""

    breaks = "trial-reward/stop-error"

    def trial_reward(self, trial: MultiStepTrial) -> TrialReward:
        answer = super().trial_reward(trial)
        return {**answer, "verified": False, "rewards": None} if answer["exception"] else answer


class PreparationEndsOnlyTheStep(StepFault):
    """Takes every error of the preparation for the step's."""

    breaks = "trial-reward/escaping-error"

    def trial_reward(self, trial: MultiStepTrial) -> TrialReward:
        def change(step: Step) -> Step:
            return replace(step, preparation=("setup", step.preparation[1])) if step.preparation else step

        return self.with_steps(trial, change)


class BlockedFoldersDoNotMatter(StepFault):
    """Goes on where a step's files could not be moved."""

    breaks = "trial-reward/blocked-folder"

    def trial_reward(self, trial: MultiStepTrial) -> TrialReward:
        return self.with_steps(trial, lambda step: replace(step, blocked=False))


class SetUpDoesNotMatter(StepFault):
    """Runs a step although its preparation failed."""

    breaks = "trial-reward/preparation-error"

    def trial_reward(self, trial: MultiStepTrial) -> TrialReward:
        def change(step: Step) -> Step:
            recorded = step.preparation and step.preparation[1] in ("RuntimeError", "HealthcheckError")
            return replace(step, preparation=None) if recorded else step

        return self.with_steps(trial, change)


class LastErrorWins(StepFault):
    """Records the verifier's error over the agent's."""

    breaks = "trial-reward/first-error"

    def trial_reward(self, trial: MultiStepTrial) -> TrialReward:
        def change(step: Step) -> Step:
            return replace(step, agent=None) if step.verifier and trial.verification else step

        return self.with_steps(trial, change)


class AgentTimeoutsKeepTheirName(StepFault):
    """Records the agent's own TimeoutError."""

    breaks = "trial-reward/agent-timeout"

    def trial_reward(self, trial: MultiStepTrial) -> TrialReward:
        answer = super().trial_reward(trial)
        for step, record in zip(trial.steps, answer["steps"] or [], strict=False):
            if step.agent == "TimeoutError" and record["exception"] == "AgentTimeoutError":
                record["exception"] = "TimeoutError"
        return answer


class VerifierTimeoutsAreRenamed(StepFault):
    """Records a step's verifier timeout as a single-step trial would."""

    breaks = "trial-reward/verifier-timeout"

    def trial_reward(self, trial: MultiStepTrial) -> TrialReward:
        def change(step: Step) -> Step:
            return replace(step, verifier="VerifierTimeoutError") if step.verifier == "TimeoutError" else step

        return self.with_steps(trial, change)


class DisabledVerificationStillGates(StepFault):
    """Stops at a threshold although nothing is verified."""

    breaks = "trial-reward/verification-disabled"

    def trial_reward(self, trial: MultiStepTrial) -> TrialReward:
        answer = super().trial_reward(trial)
        if trial.verification or answer["steps"] is None:
            return answer
        gates = [i for i, step in enumerate(trial.steps[: len(answer["steps"])]) if step.min_reward is not None]
        return {**answer, "steps": answer["steps"][: gates[0] + 1]} if gates else answer


class IntThresholdsAreExact(StepFault):
    """Compares with an int threshold as it is written."""

    breaks = "trial-reward/threshold-beyond-2**53"

    def trial_reward(self, trial: MultiStepTrial) -> TrialReward:
        def change(step: Step) -> Step:
            exact = step.min_reward
            missed = type(exact) is int and float(exact) <= (step.rewards or {}).get("reward", float("-inf")) < exact
            return replace(step, min_reward=float("inf")) if missed else step

        return self.with_steps(trial, change)


class NansMissThresholds(StepFault):
    """Asks whether the reward is at least the threshold, which a nan never is."""

    breaks = "trial-reward/threshold-nan"

    def trial_reward(self, trial: MultiStepTrial) -> TrialReward:
        def change(step: Step) -> Step:
            thresholds = step.min_reward if isinstance(step.min_reward, Mapping) else {"reward": step.min_reward}
            rewards = step.rewards or {}
            for key, bound in thresholds.items():
                if bound is not None and not rewards.get(key, float("-inf")) >= bound:
                    return replace(step, min_reward={"no such key": 0.0})
            return step

        return self.with_steps(trial, change)


class MissingRewardsAreZero(StepFault):
    """Compares a missing reward with its threshold as 0."""

    breaks = "trial-reward/threshold-without-reward"

    def trial_reward(self, trial: MultiStepTrial) -> TrialReward:
        def change(step: Step) -> Step:
            thresholds = step.min_reward if isinstance(step.min_reward, Mapping) else {"reward": step.min_reward}
            rewards = step.rewards or {}
            met = {key: bound for key, bound in thresholds.items() if bound is not None and 0 >= bound > float("-inf")}
            kept = {key: bound for key, bound in thresholds.items() if key in rewards or key not in met}
            return step if step.min_reward is None else replace(step, min_reward=_numbers(kept))

        return self.with_steps(trial, change)


def _numbers(thresholds: Mapping[str, Any]) -> dict[str, Any]:
    return {key: bound for key, bound in thresholds.items() if bound is not None}


class ThresholdsMustBeBeaten(StepFault):
    """Stops where a reward is no more than its threshold."""

    breaks = "trial-reward/threshold-met"

    def trial_reward(self, trial: MultiStepTrial) -> TrialReward:
        def change(step: Step) -> Step:
            thresholds = step.min_reward if isinstance(step.min_reward, Mapping) else {"reward": step.min_reward}
            met = any((step.rewards or {}).get(key) == bound for key, bound in thresholds.items() if bound is not None)
            return replace(step, min_reward=float("inf")) if met and step.verifier is None else step

        return self.with_steps(trial, change)


class OneThresholdIsEnough(StepFault):
    """Goes on where any of several thresholds is met."""

    breaks = "trial-reward/threshold-keys"

    def trial_reward(self, trial: MultiStepTrial) -> TrialReward:
        def change(step: Step) -> Step:
            if not isinstance(step.min_reward, Mapping):
                return step
            met = [key for key, bound in step.min_reward.items() if (step.rewards or {}).get(key, -1e400) >= bound]
            return replace(step, min_reward=None) if met else step

        return self.with_steps(trial, change)


class BestRewardIsGated(StepFault):
    """Compares a single threshold with the largest reward, whatever its key."""

    breaks = "trial-reward/threshold-number"

    def trial_reward(self, trial: MultiStepTrial) -> TrialReward:
        def change(step: Step) -> Step:
            if not isinstance(step.min_reward, int | float) or not step.rewards:
                return step
            best = max(step.rewards, key=lambda key: (step.rewards or {})[key])
            return replace(step, min_reward={best: step.min_reward})

        return self.with_steps(trial, change)


class ErrorsNeverStop(StepFault):
    """Goes on after a step without a result."""

    breaks = "trial-reward/error-without-result"

    def trial_reward(self, trial: MultiStepTrial) -> TrialReward:
        answer = super().trial_reward(trial)
        steps = answer["steps"]
        if steps and steps[-1]["exception"] and len(steps) < len(trial.steps) and not answer["exception"]:
            steps.append({"verified": False, "rewards": None, "exception": None})
        return answer


class StepsLeftOutAreListed(StepFault):
    """Records the steps that were not reached, without a result."""

    breaks = "trial-reward/steps-left-out"

    def trial_reward(self, trial: MultiStepTrial) -> TrialReward:
        answer = super().trial_reward(trial)
        if answer["steps"] is not None:
            for _ in trial.steps[len(answer["steps"]) :]:
                answer["steps"].append({"verified": False, "rewards": None, "exception": None})
        return answer


class StepErrorsAreTheTrials(StepFault):
    """Records the last step's error as the trial's."""

    breaks = "trial-reward/step-errors-stay"

    def trial_reward(self, trial: MultiStepTrial) -> TrialReward:
        answer = super().trial_reward(trial)
        last = answer["steps"][-1]["exception"] if answer["steps"] else None
        return {**answer, "exception": answer["exception"] or last}
