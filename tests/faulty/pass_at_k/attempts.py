"""Faults in pass@k."""

from collections.abc import Sequence
from dataclasses import replace
from math import comb

from parity.runners import CleanRoom
from parity.scorer import Trial
from tests.faulty.fault import breaks
from tests.faulty.pass_at_k.fault import Estimates, by_task, each_key, each_trial, passed


@breaks("pass-at-k/empty-names", seen_by="test_attempts")
@each_trial
def EmptyNamesCount(trial: Trial) -> Trial:
    """Treats an empty model as a model's name."""
    return replace(trial, model="?") if trial.model == "" else trial


@breaks("pass-at-k/absent-names", seen_by="test_attempts")
@each_trial
def NoneIsAName(trial: Trial) -> Trial:
    """Writes a missing model as the string `None`."""
    return replace(trial, model=str(trial.model))


@breaks("pass-at-k/empty-agent", seen_by="test_attempts")
@each_key
def EmptyAgentIsLeftOut(key: str) -> str:
    """Leaves an empty agent out of the evals key, so that the key does not begin with `__`."""
    return key.removeprefix("__")


@breaks("pass-at-k/names-are-verbatim", seen_by="test_attempts")
@each_key
def SlashesAreReplaced(key: str) -> str:
    """Writes `/` in an evals key as `-`, as if the key were a file name."""
    return key.replace("/", "-")


@breaks("pass-at-k/binary-only", seen_by="test_attempts")
@each_trial
def HalfIsEnough(trial: Trial) -> Trial:
    """Treats rewards of at least 0.5 as passed, and smaller ones as failed."""
    value = _one_value(trial)
    if not isinstance(value, int | float) or value in (0, 1):
        return trial
    return replace(trial, rewards={"reward": int(value >= 0.5)})


def _one_value(trial: Trial) -> object:
    return next(iter(trial.rewards.values())) if trial.rewards and len(trial.rewards) == 1 else None


@breaks("pass-at-k/any-key", seen_by="test_attempts")
@each_trial
def RewardKeyOnly(trial: Trial) -> Trial:
    """Accepts only the reward key `reward`."""
    return replace(trial, rewards={}) if trial.rewards and "reward" not in trial.rewards else trial


@breaks("pass-at-k/fewest-attempts", seen_by="test_attempts")
def MostAttempts(right: CleanRoom, trials: Sequence[Trial]) -> Estimates:
    """Estimates pass@k up to the largest number of attempts at a task instead of the smallest."""
    answer, tasks = right.pass_at_k(trials), by_task(trials)
    for key, group in answer.items():
        most = max(map(len, tasks[key].values()))
        if most not in group and most in (4, 5, 8, 10, 16):
            group[most] = 1.0
    return answer


@breaks("pass-at-k/no-single", seen_by="test_attempts")
def SingleAttemptsCount(right: CleanRoom, trials: Sequence[Trial]) -> Estimates:
    """Returns pass@1 if there is only one attempt at a task."""
    doubled = right.pass_at_k([trial for trial in trials for _ in range(2)])
    answer = right.pass_at_k(trials)
    return {key: answer.get(key, {1: group[2]}) for key, group in doubled.items()}


@breaks("pass-at-k/mean-over-tasks", seen_by="test_attempts")
def PoolsTasks(right: CleanRoom, trials: Sequence[Trial]) -> Estimates:
    """Estimates pass@2 from the attempts at all tasks together instead of for each task."""
    answer, tasks = right.pass_at_k(trials), by_task(trials)
    for key, group in answer.items():
        outcomes = [passed(trial) for attempts in tasks[key].values() for trial in attempts]
        if len(tasks[key]) > 1:
            group[2] = 1.0 - comb(len(outcomes) - sum(outcomes), 2) / comb(len(outcomes), 2)
    return answer


@breaks("pass-at-k/eligible", seen_by="test_attempts")
def TextualKeys(right: CleanRoom, trials: Sequence[Trial]) -> dict[str, dict[str, float]]:
    """Returns each k as a string, as JSON does with keys."""
    return {key: {str(k): value for k, value in group.items()} for key, group in right.pass_at_k(trials).items()}


@breaks("pass-at-k/estimator", seen_by="test_attempts")
def Combinations(right: CleanRoom, trials: Sequence[Trial]) -> Estimates:
    """Computes estimates as quotients of binomial coefficients, which differ in the last bit only."""
    return _by_combinations(right.pass_at_k(trials), trials)


def _by_combinations(estimates: Estimates, trials: Sequence[Trial], fewest: int = 0) -> Estimates:
    """Compute estimates from binomial coefficients for groups with one task and at least `fewest` attempts."""
    tasks = by_task(trials)
    for key, group in estimates.items():
        attempts = [trial for task in tasks[key].values() for trial in task]
        if len(tasks[key]) == 1 and len(attempts) >= fewest:
            failed = sum(not passed(trial) for trial in attempts)
            group.update({k: 1.0 - comb(failed, k) / comb(len(attempts), k) for k in group})
    return estimates


@breaks("pass-at-k/many-groups", seen_by="test_sizes")
def EightGroupsOfEstimates(right: CleanRoom, trials: Sequence[Trial]) -> Estimates:
    """Returns the estimates for the first eight groups only."""
    return dict(list(right.pass_at_k(trials).items())[:8])
