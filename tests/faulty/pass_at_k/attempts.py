"""Faults in pass@k."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby
from math import comb

from parity.scorer import Rewards, Trial, evals_key
from tests.faulty.fault import Fault

type Estimates = dict[str, dict[int, float]]


class _AttemptFault(Fault):
    seen_by = "test_attempts"

    def with_rewards(self, trials: Sequence[Trial], change: dict[int, Rewards | None]) -> Estimates:
        """pass@k with the rewards of some trials changed."""
        return super().pass_at_k(
            [replace(trial, rewards=change.get(index, trial.rewards)) for index, trial in enumerate(trials)]
        )

    def attempts(self, trials: Sequence[Trial], key: str) -> dict[str, list[bool]]:
        """Outcomes of one group by task."""
        outcomes: dict[str, list[bool]] = {}
        for trial in trials:
            if evals_key(trial.agent, trial.model, trial.source) == key:
                passed = bool(trial.rewards and next(iter(trial.rewards.values())))
                outcomes.setdefault(trial.task, []).append(passed)
        return outcomes


def _one_value(trial: Trial) -> object:
    return next(iter(trial.rewards.values())) if trial.rewards and len(trial.rewards) == 1 else None


class GroupsByNames(_AttemptFault):
    """Groups by agent, model and dataset instead of by the key that they give."""

    breaks = "pass-at-k/colliding-keys"

    def pass_at_k(self, trials: Sequence[Trial]) -> Estimates:
        def who(trial: Trial) -> tuple[str, str, str]:
            return trial.agent, trial.model or "", trial.source or "adhoc"

        answer: Estimates = {}
        for _, group in groupby(sorted(trials, key=who), key=who):
            answer.update(super().pass_at_k(list(group)))
        return answer


class EmptyNamesCount(_AttemptFault):
    """Takes an empty model for a model."""

    breaks = "pass-at-k/empty-names"

    def pass_at_k(self, trials: Sequence[Trial]) -> Estimates:
        return super().pass_at_k([replace(t, model="?") if t.model == "" else t for t in trials])


class NoneIsAName(_AttemptFault):
    """Writes a missing model as `None`."""

    breaks = "pass-at-k/absent-names"

    def pass_at_k(self, trials: Sequence[Trial]) -> Estimates:
        return super().pass_at_k([replace(t, model=str(t.model)) for t in trials])


class EmptyRewardsFail(_AttemptFault):
    """Counts `{}` as a failed attempt."""

    breaks = "pass-at-k/empty-disables"

    def pass_at_k(self, trials: Sequence[Trial]) -> Estimates:
        return self.with_rewards(trials, {i: None for i, t in enumerate(trials) if t.rewards == {}})


class FirstKeyCounts(_AttemptFault):
    """Reads the first of several keys."""

    breaks = "pass-at-k/several-keys-disable"

    def pass_at_k(self, trials: Sequence[Trial]) -> Estimates:
        firsts = {
            i: {"reward": next(iter(t.rewards.values()))}
            for i, t in enumerate(trials)
            if t.rewards and len(t.rewards) > 1
        }
        return self.with_rewards(trials, dict(firsts))


class HalfIsEnough(_AttemptFault):
    """Rounds rewards to pass or fail."""

    breaks = "pass-at-k/binary-only"

    def pass_at_k(self, trials: Sequence[Trial]) -> Estimates:
        rounded: dict[int, Rewards | None] = {}
        for index, trial in enumerate(trials):
            value = _one_value(trial)
            if isinstance(value, int | float) and value not in (0, 1):
                rounded[index] = {"reward": int(value >= 0.5)}
        return self.with_rewards(trials, rounded)


class NullIsSkipped(_AttemptFault):
    """Leaves out trials without rewards."""

    breaks = "pass-at-k/null-fails"

    def pass_at_k(self, trials: Sequence[Trial]) -> Estimates:
        return super().pass_at_k([trial for trial in trials if trial.rewards is not None])


class IntegersOnly(_AttemptFault):
    """Takes 1.0 for a partial reward."""

    breaks = "pass-at-k/float-binary"

    def pass_at_k(self, trials: Sequence[Trial]) -> Estimates:
        floats = {i: {"reward": 0.5} for i, t in enumerate(trials) if isinstance(_one_value(t), float)}
        return self.with_rewards(trials, dict(floats))


class RewardKeyOnly(_AttemptFault):
    """Wants the key `reward`."""

    breaks = "pass-at-k/any-key"

    def pass_at_k(self, trials: Sequence[Trial]) -> Estimates:
        return self.with_rewards(
            trials, {i: {} for i, t in enumerate(trials) if t.rewards and "reward" not in t.rewards}
        )


class MostAttempts(_AttemptFault):
    """Goes up to the most attempts that a task has."""

    breaks = "pass-at-k/fewest-attempts"

    def pass_at_k(self, trials: Sequence[Trial]) -> Estimates:
        answer = super().pass_at_k(trials)
        for key, group in answer.items():
            most = max(map(len, self.attempts(trials, key).values()))
            if most not in group and most in (4, 5, 8, 10, 16):
                group[most] = 1.0
        return answer


class SingleAttemptsCount(_AttemptFault):
    """Gives pass@1 where there is one attempt a task."""

    breaks = "pass-at-k/no-single"

    def pass_at_k(self, trials: Sequence[Trial]) -> Estimates:
        doubled = super().pass_at_k([trial for trial in trials for _ in range(2)])
        answer = super().pass_at_k(trials)
        return {key: answer.get(key, {1: group[2]}) for key, group in doubled.items()}


class PowersOfTwoOnly(_AttemptFault):
    """Knows no multiples of five."""

    breaks = "pass-at-k/multiples-of-five"

    def pass_at_k(self, trials: Sequence[Trial]) -> Estimates:
        return {
            key: {k: value for k, value in group.items() if k & (k - 1) == 0}
            for key, group in super().pass_at_k(trials).items()
        }


class PoolsTasks(_AttemptFault):
    """Throws the attempts of all tasks together."""

    breaks = "pass-at-k/mean-over-tasks"

    def pass_at_k(self, trials: Sequence[Trial]) -> Estimates:
        answer = super().pass_at_k(trials)
        for key, group in answer.items():
            outcomes = [outcome for task in self.attempts(trials, key).values() for outcome in task]
            if len(self.attempts(trials, key)) > 1:
                group[2] = 1.0 - comb(len(outcomes) - sum(outcomes), 2) / comb(len(outcomes), 2)
        return answer


class TextualKeys(_AttemptFault):
    """Keys k as text, as JSON does."""

    breaks = "pass-at-k/eligible"

    def pass_at_k(self, trials: Sequence[Trial]) -> Estimates:
        answer = super().pass_at_k(trials)
        return {key: {str(k): value for k, value in group.items()} for key, group in answer.items()}  # type: ignore[misc]


class Combinations(_AttemptFault):
    """Divides binomial coefficients, which is right but for the last bit."""

    breaks = "pass-at-k/estimator"

    def pass_at_k(self, trials: Sequence[Trial]) -> Estimates:
        answer = super().pass_at_k(trials)
        for key, group in answer.items():
            tasks = list(self.attempts(trials, key).values())
            if len(tasks) == 1:
                tried, failed = len(tasks[0]), tasks[0].count(False)
                answer[key] = {k: 1.0 - comb(failed, k) / comb(tried, k) for k in group}
        return answer
