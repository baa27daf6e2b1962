"""Compute the `stats` in a job's result.json, while the job runs and when it ends. Rules: `job-stats/*`.

While a job runs, its stats change with each trial. If a trial is retried, its values are subtracted again, which leaves
traces, such as empty lists. When the job ends, the stats are computed anew from all trials.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from parity.scorer.errors import ValidationError
from parity.scorer.job import CANCELLED, Event, Job, JobTrial
from parity.scorer.metrics import aggregate
from parity.scorer.pass_at_k import pass_at_k
from parity.scorer.result_text import json_text, writable_key
from parity.scorer.series import OFFICIAL, Series
from parity.scorer.stats import Progress, Stats
from parity.scorer.values import Number, Rewards


def metrics_of_datasets(metrics: Sequence[str], datasets: Iterable[str]) -> dict[str, list[str]]:
    """Return each dataset's metrics. Trials without a dataset use `adhoc`. A repeated dataset has repeated metrics."""
    # Rule: job-stats/adhoc-metrics
    table: dict[str, list[str]] = {"adhoc": list(metrics)}
    for name in datasets:
        # Rule: job-stats/repeated-dataset
        table.setdefault(name, []).extend(metrics)
    # Rule: job-stats/default-metric
    return {name: configured or ["mean"] for name, configured in table.items()}


def job_stats(job: Job, *, series: Series = OFFICIAL) -> str:
    """Return the text of `stats` in result.json, from `{` to `}`.

    Raises:
        OverflowError: a metric involves an int beyond the range of a double; Harbor's job ends with this exception.
        IndexError: the dataset of a trial that ended is not configured; Harbor's job ends with this exception.
        ValidationError: a reward in a previous run's trial is nan or infinite; Harbor wrote it as null, which it
            cannot read.
    """
    job = replace(job, earlier=tuple(_read_back(trial) for trial in job.earlier))
    metrics = metrics_of_datasets(job.metrics, job.datasets)
    running = RunningStats(job, metrics, series)
    for event in job.events:
        running.apply(event)
        running.show(event)
    stats = final_stats(job.planned_results(), metrics, series) if job.finished else running.stats
    # Rule: job-stats/ends
    return json_text(stats.tree(job.total, running.progress), depth=1)


def _read_back(trial: JobTrial) -> JobTrial:
    """Return a previous run's trial as its result.json records it: without nan, infinities and unpaired surrogates."""
    # Rule: job-stats/not-resumable
    if trial.rewards and not all(map(_is_finite, trial.rewards.values())):
        raise ValidationError(f"{trial.name}: a reward that is nan or infinite was written as null")
    usage = tuple(
        replace(each, cost=None) if each.cost is not None and not math.isfinite(each.cost) else each
        for each in trial.usage
    )
    rewards = trial.rewards and {writable_key(key): value for key, value in trial.rewards.items()}
    return replace(trial, rewards=rewards, usage=usage)


def _is_finite(number: Number) -> bool:
    return isinstance(number, int) or math.isfinite(number)


def final_stats(trials: Sequence[JobTrial], metrics: Mapping[str, Sequence[str]], series: Series) -> Stats:
    """Return the stats of a job that has ended.

    Args:
        trials: every trial's last result, in planned order.
        metrics: each dataset's metrics, as `metrics_of_datasets` returns them.
        series: the versions of Python whose `sum()` is computed.
    """
    stats = Stats()
    rewards: dict[str, list[Rewards | None]] = {}
    for trial in trials:
        stats.add(trial)
        # Rules: job-stats/no-reward-is-zero, job-stats/errors-and-rewards
        rewards.setdefault(trial.key, []).append(trial.rewards)
    for key, column in rewards.items():
        # Rules: job-stats/separator-in-dataset, job-stats/unknown-dataset
        # The dataset's name is the last part of the key, so a name that contains the separator is not found.
        configured = metrics.get(key.split("__")[-1], [])
        # Rules: job-stats/several-metrics, job-stats/summation, job-stats/overflow
        stats.groups[key].metrics = [aggregate(metric, column, series=series) for metric in configured]
    # Rules: job-stats/pass-at-k, job-stats/interim-pass-at-k, job-stats/no-reward-fails
    for key, estimates in pass_at_k(trials, series=series).items():
        stats.groups[key].pass_at_k = estimates
    return stats


class RunningStats:
    """The stats of a running job.

    A group's metrics are computed anew whenever one of the group's trials ends or starts again.
    """

    def __init__(self, job: Job, metrics: Mapping[str, Sequence[str]], series: Series) -> None:
        self.stats = Stats()
        self._metrics, self._series = metrics, series
        self._results: dict[str, JobTrial] = {}
        self._rewards: dict[str, dict[str, Rewards | None]] = {}
        self._running: set[str] = set()
        self._shown: set[str] = set()
        """Names of the trials that the progress bar has shown in this run."""

        self._cancelled: set[str] = set()
        self._retries = job.retries
        # Rule: job-stats/interim-resumed-metrics
        for trial in job.earlier:
            self.stats.add(trial)
            self._record(trial)

    @property
    def progress(self) -> Progress:
        return Progress(len(self._running), len(self._cancelled), self._retries)

    def apply(self, event: Event) -> None:
        """Change the stats as Harbor does when the event occurs.

        Raises:
            OverflowError: a metric of the trial's group is beyond the range of a double. Everything but the metrics has
                been changed.
        """
        if event.kind == "start":
            self._start(event.name)
            # Rule: job-stats/running
            self._running.add(event.name)
        elif event.kind == "cancel":
            # Rule: job-stats/cancelled
            self._cancelled.add(event.name)
        elif event.trial is not None:
            self._end(event.trial)

    def show(self, event: Event) -> None:
        """Raise the same exception as Harbor's progress bar, if the bar fails at this event.

        Harbor updates the bar after it has written the stats. When a trial ends for the first time in a run, the bar
        shows the first number of the first metric of the trial's group, with three decimals.

        Raises:
            OverflowError: the number is an int beyond the range of a double.
            IndexError: the trial's dataset is not configured, so there is no first metric.
        """
        trial = event.trial
        if trial is None or trial.name in self._shown:
            return
        self._shown.add(trial.name)
        dataset = trial.source or "adhoc"
        # Rule: job-stats/shown-dataset
        if dataset not in self._metrics:
            raise IndexError(f"dataset {dataset!r} is not configured, so it has no metric to be shown")
        for number in [*self.stats.groups[trial.key].metrics[0].values()][:1]:
            # Rule: job-stats/shown-metric
            float(number)

    def _start(self, name: str) -> None:
        before = self._results.pop(name, None)
        if before is None:
            return
        # Rules: job-stats/retry-is-counted, run-job/retries-counted
        self._retries += 1
        self.stats.remove(before)
        self._rewards[before.key].pop(name)
        self._forget_cancellation(before)
        self._renew_metrics(before)

    def _end(self, trial: JobTrial) -> None:
        before = self._results.get(trial.name)
        # Rule: job-stats/replacing-is-no-retry
        if before is not None:
            self.stats.remove(before)
            self._forget_cancellation(before)
        self.stats.add(trial)
        self._running.discard(trial.name)
        self._record(trial)
        self._renew_metrics(trial)

    def _record(self, trial: JobTrial) -> None:
        self._results[trial.name] = trial
        self._rewards.setdefault(trial.key, {})[trial.name] = trial.rewards
        # Rule: job-stats/cancelled
        if trial.exception == CANCELLED:
            self._cancelled.add(trial.name)

    def _forget_cancellation(self, trial: JobTrial) -> None:
        if trial.exception == CANCELLED:
            self._cancelled.discard(trial.name)

    def _renew_metrics(self, trial: JobTrial) -> None:
        """Compute the metrics of the trial's group over its results so far.

        The trial's dataset determines which metrics are computed, not the group's key.
        """
        # Rule: job-stats/interim-metrics
        rewards = list(self._rewards[trial.key].values())
        # Rule: job-stats/unknown-dataset
        configured = self._metrics.get(trial.source or "adhoc", []) if rewards else []
        # Rule: job-stats/overflow
        metrics = [aggregate(metric, rewards, series=self._series) for metric in configured]
        self.stats.groups[trial.key].metrics = metrics
