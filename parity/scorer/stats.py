"""The `stats` object in result.json, built trial by trial. Rules: `job-stats/*`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from parity.scorer.job import JobTrial
from parity.scorer.result_text import ObjectPairs, Tree, key_text
from parity.scorer.values import Number, Rewards


@dataclass
class _TrialsOfValue:
    """The trials that have the same value under the same reward key."""

    value: Number
    names: list[str] = field(default_factory=list)


@dataclass
class Group:
    """The stats of one group of trials, those with the same evals key."""

    rewarded: int = 0
    errors: int = 0
    metrics: list[Rewards] = field(default_factory=list)
    pass_at_k: dict[int, float] = field(default_factory=dict)
    rewards: dict[str, list[_TrialsOfValue]] = field(default_factory=dict)
    entries_by_value: dict[tuple[str, object], _TrialsOfValue] = field(default_factory=dict)
    """The entry in `rewards` for each reward key and value. Equal numbers of different types share an entry."""

    exceptions: dict[str, list[str]] = field(default_factory=dict)

    def add(self, trial: JobTrial) -> None:
        if trial.rewards is not None:
            # Rule: job-stats/rewarded-trials
            self.rewarded += 1
            for key, value in trial.rewards.items():
                # Rule: job-stats/reward-stats
                self._entry(_entry_key(key, value, trial), value).names.append(trial.name)
        # Rule: job-stats/errors-and-rewards
        if trial.exception is not None:
            self.errors += 1
            # Rule: job-stats/errors
            self.exceptions.setdefault(trial.exception, []).append(trial.name)

    def remove(self, trial: JobTrial) -> None:
        """Subtract a trial, and remove its name from the lists of names. Lists that become empty are kept."""
        if trial.rewards is not None:
            self.rewarded -= 1
            for key, value in trial.rewards.items():
                entry_key = _entry_key(key, value, trial)
                # Rule: job-stats/taken-back
                self.entries_by_value[entry_key].names.remove(trial.name)
                if value != value and key not in trial.literal_nans:
                    del self.entries_by_value[entry_key]
        if trial.exception is not None:
            self.errors -= 1
            self.exceptions[trial.exception].remove(trial.name)

    def _entry(self, entry_key: tuple[str, object], value: Number) -> _TrialsOfValue:
        entry = self.entries_by_value.get(entry_key)
        # Rule: job-stats/equal-rewards
        if entry is None:
            entry = self.entries_by_value[entry_key] = _TrialsOfValue(value)
            # Rule: job-stats/reward-order
            self.rewards.setdefault(entry_key[0], []).append(entry)
        return entry

    def tree(self) -> Tree:
        return {
            "n_trials": self.rewarded,
            "n_errors": self.errors,
            "metrics": list(self.metrics),
            "pass_at_k": {str(k): estimate for k, estimate in self.pass_at_k.items()},
            "reward_stats": {
                key: ObjectPairs([(key_text(entry.value), list(entry.names)) for entry in entries])
                for key, entries in self.rewards.items()
            },
            "exception_stats": {error: list(names) for error, names in self.exceptions.items()},
        }


def _entry_key(key: str, value: Number, trial: JobTrial) -> tuple[str, object]:
    # Rules: job-stats/nan-keys, job-stats/literal-nan
    # No nan equals another, so each has its own entry, under its trial's name; but the literal NaN is a shared object.
    if value == value:
        return key, value
    return key, "NaN" if key in trial.literal_nans else ("nan", trial.name)


@dataclass
class Progress:
    """A job's progress: the numbers of running trials, cancelled trials and retries."""

    running: int
    cancelled: int
    retries: int


@dataclass
class Stats:
    """The stats of a job: its groups of trials, and the tokens and cost of all trials."""

    completed: int = 0
    errored: int = 0
    groups: dict[str, Group] = field(default_factory=dict)
    tokens: list[int | None] = field(default_factory=lambda: [None, None, None])
    cost: float | None = None

    def add(self, trial: JobTrial) -> None:
        self.completed += 1
        self.errored += trial.exception is not None
        key = trial.key
        group = self.groups.get(key)
        if group is None:
            # Rule: job-stats/group-order
            group = self.groups[key] = Group()
        group.add(trial)
        tokens, cost = _used(trial)
        # Rule: job-stats/usage
        self.tokens = _sums(self.tokens, tokens)
        if cost is not None:
            # Rule: job-stats/cost
            self.cost = (self.cost or 0.0) + cost

    def remove(self, trial: JobTrial) -> None:
        """Subtract a trial that runs again. Token counts and cost never fall below zero."""
        self.completed -= 1
        self.errored -= trial.exception is not None
        self.groups[trial.key].remove(trial)
        tokens, cost = _used(trial)
        self.tokens = [_minus(total, used) for total, used in zip(self.tokens, tokens, strict=True)]
        if cost is not None and self.cost is not None:
            # Rule: job-stats/usage-taken-back
            self.cost = max(0.0, self.cost - cost)

    def tree(self, total: int, progress: Progress) -> Tree:
        """Return the stats as a JSON value, with the counts that follow from the job's progress."""
        # Rule: job-stats/stats
        return {
            "n_completed_trials": self.completed,
            "n_errored_trials": self.errored,
            "n_running_trials": progress.running,
            # Rule: job-stats/pending
            "n_pending_trials": max(total - self.completed - progress.running, 0),
            "n_cancelled_trials": progress.cancelled,
            "n_retries": progress.retries,
            "evals": {key: group.tree() for key, group in self.groups.items()},
            "n_input_tokens": self.tokens[0],
            "n_cache_tokens": self.tokens[1],
            "n_output_tokens": self.tokens[2],
            "cost_usd": self.cost,
        }


def job_document(identity: Mapping[str, str | None], total: int, stats: Stats, progress: Progress) -> dict[str, Tree]:
    """Return the result.json of a running or ended job as a JSON value.

    Args:
        identity: the values of `id`, `started_at`, `updated_at` and `finished_at`, in this order.
        total: the number of planned trials.
        stats: the stats of the trials so far.
        progress: the job's progress.
    """
    # Rule: run-job/result
    return {**identity, "n_total_trials": total, "stats": stats.tree(total, progress)}


def _used(trial: JobTrial) -> tuple[Sequence[int | None], float | None]:
    """Return the tokens and the cost, each added up over the trial's agent runs; None if no run reports any."""
    tokens: Sequence[int | None] | None = None
    cost = None
    for usage in trial.usage:
        reported = (usage.input_tokens, usage.cache_tokens, usage.output_tokens)
        # Rule: job-stats/several-runs
        tokens = reported if tokens is None else _sums(tokens, reported)
        if usage.cost is not None:
            # Rule: job-stats/cost
            cost = (cost or 0.0) + usage.cost
    return tokens or (None, None, None), cost


def _sums(totals: Sequence[int | None], used: Sequence[int | None]) -> list[int | None]:
    """Add each token count to its total. A total is None until a count is reported."""
    (a, b, c), (x, y, z) = totals, used
    return [_plus(a, x), _plus(b, y), _plus(c, z)]


def _plus(total: int | None, used: int | None) -> int | None:
    return total if used is None else used if total is None else total + used


def _minus(total: int | None, used: int | None) -> int | None:
    # Rule: job-stats/usage-taken-back
    return total if used is None or total is None else max(0, total - used)
