"""Faults that only show where there are many trials, groups, steps or keys, or a long text."""

from collections.abc import Sequence
from math import comb

from parity.scorer import MultiStepTrial, Number, Rewards, Trial, TrialReward, evals_key
from parity.scorer.trial_reward import StepRecord
from tests.faulty.fault import Fault
from tests.faulty.step_fault import StepFault
from tests.faulty.sums import one_by_one

type Estimates = dict[str, dict[int, float]]


def _in_pairs(numbers: Sequence[Number]) -> Number:
    if len(numbers) < 3:
        return one_by_one(numbers)
    half = len(numbers) // 2
    return _in_pairs(numbers[:half]) + _in_pairs(numbers[half:])


class _MetricFault(Fault):
    seen_by = "test_sizes"


class AddsManyInPairs(_MetricFault):
    """Adds 32 floats or more as halves of halves, and fewer as `sum` does."""

    breaks = "summation/compensated"

    def aggregate(self, metric: str, rewards: Sequence[Rewards | None]) -> Rewards:
        numbers = [number for reward in rewards for number in (reward or {}).values()]
        floats = all(isinstance(number, float) for number in numbers)
        if metric not in ("mean", "sum") or not floats or len(rewards) < 32 or {len(r or {}) for r in rewards} != {1}:
            return super().aggregate(metric, rewards)
        total = _in_pairs(numbers)
        return {metric: total / len(numbers) if metric == "mean" else total}


class ReadsAHundredTrials(_MetricFault):
    """Takes the first page of a hundred trials for all."""

    breaks = "aggregate/value"

    def aggregate(self, metric: str, rewards: Sequence[Rewards | None]) -> Rewards:
        return super().aggregate(metric, rewards[:100])


class SixteenMetrics(_MetricFault):
    """Gives a metric for sixteen keys."""

    breaks = "aggregate/several-keys"

    def aggregate(self, metric: str, rewards: Sequence[Rewards | None]) -> Rewards:
        return dict(list(super().aggregate(metric, rewards).items())[:16])


class CutsLongMetricKeys(_MetricFault):
    """Cuts a key after 64 characters, so that long ones are one."""

    breaks = "aggregate/several-keys"

    def aggregate(self, metric: str, rewards: Sequence[Rewards | None]) -> Rewards:
        return {key[:64]: number for key, number in super().aggregate(metric, rewards).items()}


def _by_task(trials: Sequence[Trial]) -> dict[str, dict[str, list[Trial]]]:
    groups: dict[str, dict[str, list[Trial]]] = {}
    for trial in trials:
        key = evals_key(trial.agent, trial.model, trial.source)
        groups.setdefault(key, {}).setdefault(trial.task, []).append(trial)
    return groups


class _AttemptFault(Fault):
    seen_by = "test_sizes"


class FiftyIsTheMost(_AttemptFault):
    """Gives no k beyond 50."""

    breaks = "pass-at-k/multiples-of-five"

    def pass_at_k(self, trials: Sequence[Trial]) -> Estimates:
        estimates = super().pass_at_k(trials)
        return {key: {k: each for k, each in group.items() if k <= 50} for key, group in estimates.items()}


class EightGroupsOfEstimates(_AttemptFault):
    """Gives the estimates of eight groups."""

    breaks = "pass-at-k/many-groups"

    def pass_at_k(self, trials: Sequence[Trial]) -> Estimates:
        return dict(list(super().pass_at_k(trials).items())[:8])


class ManyTasksInPairs(_AttemptFault):
    """Adds the estimates of 32 tasks or more as halves of halves."""

    breaks = "pass-at-k/mean-over-tasks"

    def pass_at_k(self, trials: Sequence[Trial]) -> Estimates:
        estimates = super().pass_at_k(trials)
        tasks = _by_task(trials)
        for key, group in estimates.items():
            if len(tasks[key]) >= 32:
                alone = [super(ManyTasksInPairs, self).pass_at_k(members)[key] for members in tasks[key].values()]
                group.update({k: _in_pairs([each[k] for each in alone]) / len(alone) for k in group})
        return estimates


class CombinationsOfMany(_AttemptFault):
    """Divides binomial coefficients from a hundred attempts on, which is right but for the last bit."""

    breaks = "pass-at-k/estimator"

    def pass_at_k(self, trials: Sequence[Trial]) -> Estimates:
        estimates = super().pass_at_k(trials)
        for key, tasks in _by_task(trials).items():
            members = [trial for attempts in tasks.values() for trial in attempts]
            if len(tasks) == 1 and len(members) >= 100 and key in estimates:
                failed = sum(not any((trial.rewards or {}).values()) for trial in members)
                estimates[key] = {k: 1.0 - comb(failed, k) / comb(len(members), k) for k in estimates[key]}
        return estimates


class AddsManyStepsInPairs(StepFault):
    """Adds the rewards of 32 steps or more as halves of halves."""

    breaks = "trial-reward/summation"
    seen_by = "test_sizes"

    def trial_reward(self, trial: MultiStepTrial) -> TrialReward:
        def mean(records: list[StepRecord]) -> Rewards | None:
            rewards = [record["rewards"] or {} for record in records if record["verified"]]
            keys = dict.fromkeys(key for each in rewards for key in each)
            return {key: float(_in_pairs([each.get(key, 0) for each in rewards]) / len(rewards)) for key in keys}

        return self.with_mean(trial, mean) if len(trial.steps) >= 32 else super().trial_reward(trial)


class SixteenStepKeys(StepFault):
    """Takes the mean of sixteen keys."""

    breaks = "trial-reward/keys"
    seen_by = "test_sizes"

    def trial_reward(self, trial: MultiStepTrial) -> TrialReward:
        answer = super().trial_reward(trial)
        rewards = answer["rewards"]
        return {**answer, "rewards": rewards and dict(list(rewards.items())[:16])}


class ReadsThreeHundredCharacters(Fault):
    """Looks for words in the first 300 characters of an error's text."""

    breaks = "reason-code/substring"
    seen_by = "test_error_texts"

    def reason_code(self, text: str | None) -> str | None:
        return super().reason_code(text and text[:300])
