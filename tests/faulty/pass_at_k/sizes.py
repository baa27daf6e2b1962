"""Faults that only show where there are many attempts, tasks or groups."""

from collections.abc import Sequence
from math import comb

from parity.scorer import Trial, evals_key
from tests.faulty.addition import in_pairs
from tests.faulty.fault import Fault

type Estimates = dict[str, dict[int, float]]


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
                group.update({k: in_pairs([each[k] for each in alone]) / len(alone) for k in group})
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
