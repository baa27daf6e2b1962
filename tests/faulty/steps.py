"""Faults in multi-step trials."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from parity.scorer import MultiStepTrial, Rewards, Step, TrialReward, exact_sum
from parity.scorer.trial_reward import StepRecord
from tests.faulty.fault import Fault


class _StepFault(Fault):
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


def _verified(records: list[StepRecord]) -> list[Rewards]:
    return [record["rewards"] or {} for record in records if record["verified"]]


def _mean(rewards: list[Rewards], count: int) -> Rewards:
    keys = dict.fromkeys(key for each in rewards for key in each)
    return {key: float(exact_sum([each.get(key, 0) for each in rewards], Fault().series) / count) for key in keys}


class StartErrorsHaveSteps(_StepFault):
    """Records an empty list of steps where the environment did not start."""

    breaks = "trial-reward/start-error"

    def trial_reward(self, trial: MultiStepTrial) -> TrialReward:
        answer = super().trial_reward(trial)
        return {**answer, "steps": answer["steps"] or []}


class StopErrorsAreIgnored(_StepFault):
    """Does not record that the environment did not stop."""

    breaks = "trial-reward/stop-error"

    def trial_reward(self, trial: MultiStepTrial) -> TrialReward:
        return super().trial_reward(replace(trial, stop=None))


class StopErrorsLoseRewards(_StepFault):
    """Drops the rewards when the environment did not stop."""

    breaks = "trial-reward/stop-error"

    def trial_reward(self, trial: MultiStepTrial) -> TrialReward:
        answer = super().trial_reward(trial)
        return {**answer, "verified": False, "rewards": None} if answer["exception"] else answer


class PreparationEndsOnlyTheStep(_StepFault):
    """Takes every error of the preparation for the step's."""

    breaks = "trial-reward/escaping-error"

    def trial_reward(self, trial: MultiStepTrial) -> TrialReward:
        def change(step: Step) -> Step:
            return replace(step, preparation=("setup", step.preparation[1])) if step.preparation else step

        return self.with_steps(trial, change)


class BlockedFoldersDoNotMatter(_StepFault):
    """Goes on where a step's files could not be moved."""

    breaks = "trial-reward/blocked-folder"

    def trial_reward(self, trial: MultiStepTrial) -> TrialReward:
        return self.with_steps(trial, lambda step: replace(step, blocked=False))


class SetUpDoesNotMatter(_StepFault):
    """Runs a step although its preparation failed."""

    breaks = "trial-reward/preparation-error"

    def trial_reward(self, trial: MultiStepTrial) -> TrialReward:
        def change(step: Step) -> Step:
            recorded = step.preparation and step.preparation[1] in ("RuntimeError", "HealthcheckError")
            return replace(step, preparation=None) if recorded else step

        return self.with_steps(trial, change)


class LastErrorWins(_StepFault):
    """Records the verifier's error over the agent's."""

    breaks = "trial-reward/first-error"

    def trial_reward(self, trial: MultiStepTrial) -> TrialReward:
        def change(step: Step) -> Step:
            return replace(step, agent=None) if step.verifier and trial.verification else step

        return self.with_steps(trial, change)


class AgentTimeoutsKeepTheirName(_StepFault):
    """Records the agent's own TimeoutError."""

    breaks = "trial-reward/agent-timeout"

    def trial_reward(self, trial: MultiStepTrial) -> TrialReward:
        answer = super().trial_reward(trial)
        for step, record in zip(trial.steps, answer["steps"] or [], strict=False):
            if step.agent == "TimeoutError" and record["exception"] == "AgentTimeoutError":
                record["exception"] = "TimeoutError"
        return answer


class VerifierTimeoutsAreRenamed(_StepFault):
    """Records a step's verifier timeout as a single-step trial would."""

    breaks = "trial-reward/verifier-timeout"

    def trial_reward(self, trial: MultiStepTrial) -> TrialReward:
        def change(step: Step) -> Step:
            return replace(step, verifier="VerifierTimeoutError") if step.verifier == "TimeoutError" else step

        return self.with_steps(trial, change)


class DisabledVerificationStillGates(_StepFault):
    """Stops at a threshold although nothing is verified."""

    breaks = "trial-reward/verification-disabled"

    def trial_reward(self, trial: MultiStepTrial) -> TrialReward:
        answer = super().trial_reward(trial)
        if trial.verification or answer["steps"] is None:
            return answer
        gates = [i for i, step in enumerate(trial.steps[: len(answer["steps"])]) if step.min_reward is not None]
        return {**answer, "steps": answer["steps"][: gates[0] + 1]} if gates else answer


class IntThresholdsAreExact(_StepFault):
    """Compares with an int threshold as it is written."""

    breaks = "trial-reward/threshold-beyond-2**53"

    def trial_reward(self, trial: MultiStepTrial) -> TrialReward:
        def change(step: Step) -> Step:
            exact = step.min_reward
            missed = type(exact) is int and float(exact) <= (step.rewards or {}).get("reward", float("-inf")) < exact
            return replace(step, min_reward=float("inf")) if missed else step

        return self.with_steps(trial, change)


class NansMissThresholds(_StepFault):
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


class MissingRewardsAreZero(_StepFault):
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


class ThresholdsMustBeBeaten(_StepFault):
    """Stops where a reward is no more than its threshold."""

    breaks = "trial-reward/threshold-met"

    def trial_reward(self, trial: MultiStepTrial) -> TrialReward:
        def change(step: Step) -> Step:
            thresholds = step.min_reward if isinstance(step.min_reward, Mapping) else {"reward": step.min_reward}
            met = any((step.rewards or {}).get(key) == bound for key, bound in thresholds.items() if bound is not None)
            return replace(step, min_reward=float("inf")) if met and step.verifier is None else step

        return self.with_steps(trial, change)


class OneThresholdIsEnough(_StepFault):
    """Goes on where any of several thresholds is met."""

    breaks = "trial-reward/threshold-keys"

    def trial_reward(self, trial: MultiStepTrial) -> TrialReward:
        def change(step: Step) -> Step:
            if not isinstance(step.min_reward, Mapping):
                return step
            met = [key for key, bound in step.min_reward.items() if (step.rewards or {}).get(key, -1e400) >= bound]
            return replace(step, min_reward=None) if met else step

        return self.with_steps(trial, change)


class BestRewardIsGated(_StepFault):
    """Compares a single threshold with the largest reward, whatever its key."""

    breaks = "trial-reward/threshold-number"

    def trial_reward(self, trial: MultiStepTrial) -> TrialReward:
        def change(step: Step) -> Step:
            if not isinstance(step.min_reward, int | float) or not step.rewards:
                return step
            best = max(step.rewards, key=lambda key: (step.rewards or {})[key])
            return replace(step, min_reward={best: step.min_reward})

        return self.with_steps(trial, change)


class ErrorsNeverStop(_StepFault):
    """Goes on after a step without a result."""

    breaks = "trial-reward/error-without-result"

    def trial_reward(self, trial: MultiStepTrial) -> TrialReward:
        answer = super().trial_reward(trial)
        steps = answer["steps"]
        if steps and steps[-1]["exception"] and len(steps) < len(trial.steps) and not answer["exception"]:
            steps.append({"verified": False, "rewards": None, "exception": None})
        return answer


class StepsLeftOutAreListed(_StepFault):
    """Records the steps that were not reached, without a result."""

    breaks = "trial-reward/steps-left-out"

    def trial_reward(self, trial: MultiStepTrial) -> TrialReward:
        answer = super().trial_reward(trial)
        if answer["steps"] is not None:
            for _ in trial.steps[len(answer["steps"]) :]:
                answer["steps"].append({"verified": False, "rewards": None, "exception": None})
        return answer


class StepErrorsAreTheTrials(_StepFault):
    """Records the last step's error as the trial's."""

    breaks = "trial-reward/step-errors-stay"

    def trial_reward(self, trial: MultiStepTrial) -> TrialReward:
        answer = super().trial_reward(trial)
        last = answer["steps"][-1]["exception"] if answer["steps"] else None
        return {**answer, "exception": answer["exception"] or last}


class StepRewardsAreFloats(_StepFault):
    """Records a step's rewards as floats."""

    breaks = "trial-reward/step-record"

    def trial_reward(self, trial: MultiStepTrial) -> TrialReward:
        answer = super().trial_reward(trial)
        for record in answer["steps"] or []:
            if record["rewards"] and all(abs(value) < 2**53 for value in record["rewards"].values()):
                record["rewards"] = {key: float(value) for key, value in record["rewards"].items()}
        return answer


class FinalIsTheLastVerified(_StepFault):
    """Takes the last step that has a result."""

    breaks = "trial-reward/final"

    def trial_reward(self, trial: MultiStepTrial) -> TrialReward:
        answer = super().trial_reward(trial)
        verified = [record for record in answer["steps"] or [] if record["verified"]]
        if trial.strategy != "final" or not verified:
            return answer
        return {**answer, "verified": True, "rewards": verified[-1]["rewards"]}


class NoKeysGiveEmptyRewards(_StepFault):
    """Gives `{}` where no step has any key."""

    breaks = "trial-reward/no-keys"

    def trial_reward(self, trial: MultiStepTrial) -> TrialReward:
        answer = super().trial_reward(trial)
        empty = trial.strategy != "final" and answer["exception"] is None and not answer["verified"]
        if empty and any(record["verified"] for record in answer["steps"] or []):
            return {**answer, "verified": True, "rewards": {}}
        return answer


class StepOverflowIsInfinite(_StepFault):
    """Gives infinity where a mean is beyond a double."""

    breaks = "trial-reward/overflow"

    def trial_reward(self, trial: MultiStepTrial) -> TrialReward:
        answer = super().trial_reward(trial)
        if answer["exception"] != "OverflowError":
            return answer
        keys = {key for record in answer["steps"] or [] for key in record["rewards"] or {}}
        return {**answer, "verified": True, "rewards": dict.fromkeys(keys, float("inf")), "exception": trial.stop}


class OnlyCommonKeys(_StepFault):
    """Takes the mean of the keys that all steps have."""

    breaks = "trial-reward/keys"

    def trial_reward(self, trial: MultiStepTrial) -> TrialReward:
        def mean(records: list[StepRecord]) -> Rewards:
            rewards = _verified(records)
            common = set.intersection(*(set(each) for each in rewards))
            return {key: value for key, value in _mean(rewards, len(rewards)).items() if key in common}

        return self.with_mean(trial, mean)


class MeansOfIntsAreInts(_StepFault):
    """Gives an int where the mean is whole."""

    breaks = "trial-reward/type"

    def trial_reward(self, trial: MultiStepTrial) -> TrialReward:
        def mean(records: list[StepRecord]) -> Rewards:
            rewards = _verified(records)
            means = _mean(rewards, len(rewards))
            ints = all(type(value) is int for each in rewards for value in each.values())
            return {key: int(value) if ints and value == int(value) else value for key, value in means.items()}

        return self.with_mean(trial, mean)


class EmptyStepsAreLeftOut(_StepFault):
    """Leaves steps without any reward out of the mean."""

    breaks = "trial-reward/empty-counts"

    def trial_reward(self, trial: MultiStepTrial) -> TrialReward:
        def mean(records: list[StepRecord]) -> Rewards:
            rewards = [each for each in _verified(records) if each]
            return _mean(rewards, len(rewards))

        return self.with_mean(trial, mean)


class UnverifiedStepsCount(_StepFault):
    """Divides by all steps that were reached."""

    breaks = "trial-reward/unverified-step"

    def trial_reward(self, trial: MultiStepTrial) -> TrialReward:
        return self.with_mean(trial, lambda records: _mean(_verified(records), len(records)))


class MissingKeysAreLeftOut(_StepFault):
    """Divides by the steps that have the key, or no key at all."""

    breaks = "trial-reward/missing-key"

    def trial_reward(self, trial: MultiStepTrial) -> TrialReward:
        def mean(records: list[StepRecord]) -> Rewards:
            rewards = _verified(records)
            columns = {
                key: [each.get(key, 0) for each in rewards if not each or key in each] for key in _mean(rewards, 1)
            }
            return {key: float(exact_sum(column, self.series) / len(column)) for key, column in columns.items()}

        return self.with_mean(trial, mean)


class StepsAreAddedOneByOne(_StepFault):
    """Adds the rewards of the steps in a loop."""

    breaks = "trial-reward/summation"

    def trial_reward(self, trial: MultiStepTrial) -> TrialReward:
        def mean(records: list[StepRecord]) -> Rewards:
            rewards = _verified(records)
            totals: dict[str, Any] = {}
            for each in rewards:
                for key, value in each.items():
                    totals[key] = totals.get(key, 0) + value
            return {key: float(total / len(rewards)) for key, total in totals.items()}

        return self.with_mean(trial, mean)


class StepsOfTheOtherSeries(_StepFault):
    """Adds the rewards of the steps as the other interpreter series does."""

    breaks = "trial-reward/summation"

    def trial_reward(self, trial: MultiStepTrial) -> TrialReward:
        self.series = self.other_series
        return super().trial_reward(trial)


class UnsetIsFinal(_StepFault):
    """Takes the last step where the task does not say."""

    breaks = "trial-reward/unset-is-mean"

    def trial_reward(self, trial: MultiStepTrial) -> TrialReward:
        return super().trial_reward(replace(trial, strategy=trial.strategy or "final"))


class MeanIsTheBest(_StepFault):
    """Takes the best step instead of the mean."""

    breaks = "trial-reward/mean"

    def trial_reward(self, trial: MultiStepTrial) -> TrialReward:
        def mean(records: list[StepRecord]) -> Rewards:
            rewards = _verified(records)
            return {key: float(max(each.get(key, 0) for each in rewards)) for key in _mean(rewards, 1)}

        return self.with_mean(trial, mean)
