"""Compute pass@k: the probability that at least one of k attempts at a task succeeds. Rules: `pass-at-k/*`.

Trials are grouped by evals key (agent, model, dataset). A group has pass@k only if all its rewards are a single 0 or 1,
or missing. A group without an eligible k is left out of the result.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from parity.scorer.series import OFFICIAL, Series
from parity.scorer.summation import exact_sum
from parity.scorer.values import Rewards


@dataclass(slots=True)  # not frozen: a job has many, and frozen ones take three times as long to make
class Trial:
    """The fields of one trial that pass@k needs."""

    agent: str
    model: str | None
    source: str | None
    task: str
    rewards: Rewards | None


@lru_cache(1024)
def evals_key(agent: str, model: str | None, source: str | None) -> str:
    """Return the name that a group of trials has in result.json. An empty model or source is treated as None."""
    # Rules: pass-at-k/absent-names, pass-at-k/empty-names, pass-at-k/empty-agent, pass-at-k/names-are-verbatim,
    #   job-stats/evals-key
    return "__".join([agent, *([model] if model else []), source or "adhoc"])


def pass_at_k(trials: Sequence[Trial], *, series: Series = OFFICIAL) -> dict[str, dict[int, float]]:
    """Return pass@k for every group that has it: by evals key and k, an estimate from 0 to 1, with k ascending.

    Args:
        trials: the trials. Groups are returned in the order of their first trials.
        series: the versions of Python whose `sum()` is computed.
    """
    groups: dict[str, list[Trial]] = {}
    for trial in trials:
        # Rule: pass-at-k/colliding-keys
        groups.setdefault(evals_key(trial.agent, trial.model, trial.source), []).append(trial)
    # Rule: pass-at-k/many-groups
    estimates = {key: _group(members, series) for key, members in groups.items()}
    # Rule: pass-at-k/no-single
    return {key: estimate for key, estimate in estimates.items() if estimate}


def _group(trials: Iterable[Trial], series: Series) -> dict[int, float]:
    attempts: dict[str, list[bool]] = {}
    for trial in trials:
        outcome = _success(trial.rewards)
        if outcome is None:
            return {}
        attempts.setdefault(trial.task, []).append(outcome)
    # Rule: pass-at-k/fewest-attempts
    fewest = min(map(len, attempts.values()))
    return {k: _mean_over_tasks(attempts, k, series) for k in _eligible(fewest)}


def _success(rewards: Rewards | None) -> bool | None:
    """Return whether the trial succeeded; None if its rewards are not a single 0 or 1."""
    # Rule: pass-at-k/null-fails
    if rewards is None:
        return False
    # Rules: pass-at-k/empty-disables, pass-at-k/several-keys-disable
    if len(rewards) != 1:
        return None
    # Rule: pass-at-k/any-key
    (value,) = rewards.values()
    # Rules: pass-at-k/binary-only, pass-at-k/float-binary
    return bool(value) if value in (0, 1) else None


def _eligible(fewest: int) -> list[int]:
    """Return the powers of two and multiples of five, from 2 up to the smallest number of attempts at a task."""
    # Rule: pass-at-k/eligible
    powers = {1 << exponent for exponent in range(1, fewest.bit_length())}
    # Rule: pass-at-k/multiples-of-five
    return sorted(powers | set(range(5, fewest + 1, 5)))


def _mean_over_tasks(attempts: dict[str, list[bool]], k: int, series: Series) -> float:
    estimates = [_estimate(len(outcomes), sum(outcomes), k) for outcomes in attempts.values()]
    # Rule: pass-at-k/mean-over-tasks
    return exact_sum(estimates, series) / len(estimates)


def _estimate(tried: int, passed: int, k: int) -> float:
    """Compute 1 - C(tried - passed, k) / C(tried, k), as a product of k quotients from left to right."""
    failed = tried - passed
    if failed < k:
        return 1.0
    all_fail = 1.0
    for drawn in range(k):
        # Rule: pass-at-k/estimator
        all_fail *= (failed - drawn) / (tried - drawn)
    return 1.0 - all_fail
