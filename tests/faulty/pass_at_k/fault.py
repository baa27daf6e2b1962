"""Decorators and functions for the faulty runners of pass@k."""

from collections.abc import Callable, Sequence
from functools import wraps

from parity.runners import CleanRoom
from parity.scorer import Trial, evals_key
from tests.faulty.fault import Answer

type Estimates = dict[str, dict[int, float]]
"""pass@k by evals key and k."""


def each_trial(change: Callable[[Trial], Trial]) -> Answer:
    """Make a `pass_at_k` that changes every trial before it computes the correct answer."""

    @wraps(change)
    def pass_at_k(right: CleanRoom, trials: Sequence[Trial]) -> Estimates:
        return right.pass_at_k([change(trial) for trial in trials])

    return pass_at_k


def each_key(change: Callable[[str], str]) -> Answer:
    """Make a `pass_at_k` that changes every evals key in the correct answer."""

    @wraps(change)
    def pass_at_k(right: CleanRoom, trials: Sequence[Trial]) -> Estimates:
        return {change(key): group for key, group in right.pass_at_k(trials).items()}

    return pass_at_k


def by_task(trials: Sequence[Trial]) -> dict[str, dict[str, list[Trial]]]:
    """Return the trials by evals key and task."""
    groups: dict[str, dict[str, list[Trial]]] = {}
    for trial in trials:
        key = evals_key(trial.agent, trial.model, trial.source)
        groups.setdefault(key, {}).setdefault(trial.task, []).append(trial)
    return groups


def passed(trial: Trial) -> bool:
    """Return whether the first of a trial's rewards is not 0."""
    return bool(trial.rewards and next(iter(trial.rewards.values())))
