"""Faults in the stats of a job that has ended: counters, metrics and order."""

from contextlib import suppress
from dataclasses import replace
from typing import Any
from unittest import mock

from parity.scorer import Event, Job, JobTrial, Number
from parity.scorer.job_stats import RunningStats
from tests.faulty.job_stats.fault import StatsFault, groups, number


class PendingMayBeNegative(StatsFault):
    """Subtracts what ended from what was planned, and nothing else."""

    breaks = "job-stats/pending"

    def job_stats(self, job: Job) -> str:
        def change(stats: dict[str, Any]) -> None:
            stats["n_pending_trials"] = job.total - number(stats["n_completed_trials"])

        return self.reworked(job, change)


class OverflowIsNull(StatsFault):
    """Leaves out the rewards of trials that bring a metric beyond a double."""

    breaks = "job-stats/overflow"

    def job_stats(self, job: Job) -> str:
        def without(trial: JobTrial) -> JobTrial:
            small = all(isinstance(value, float) or abs(value) < 2**1000 for value in (trial.rewards or {}).values())
            return trial if small else replace(trial, rewards=None)

        try:
            return super().job_stats(job)
        except OverflowError:
            return self.with_trials(job, without)


class NothingIsShown(StatsFault):
    """Shows no metric while the job runs, so nothing that cannot be shown ends it."""

    breaks = "job-stats/shown-metric"

    def job_stats(self, job: Job) -> str:
        def show(stats: RunningStats, event: Event) -> None:
            with suppress(OverflowError):
                shown(stats, event)

        shown = RunningStats.show
        with mock.patch.object(RunningStats, "show", show):
            return super().job_stats(job)


class UnknownDatasetsGoOn(StatsFault):
    """Shows nothing of trials of a dataset that is not configured, and goes on."""

    breaks = "job-stats/shown-dataset"

    def job_stats(self, job: Job) -> str:
        def show(stats: RunningStats, event: Event) -> None:
            with suppress(IndexError):
                shown(stats, event)

        shown = RunningStats.show
        with mock.patch.object(RunningStats, "show", show):
            return super().job_stats(job)


class NoDefaultMetric(StatsFault):
    """Has no metrics where none is configured."""

    breaks = "job-stats/default-metric"

    def job_stats(self, job: Job) -> str:
        def change(stats: dict[str, Any]) -> None:
            for group in groups(stats):
                group["metrics"] = group["metrics"] if job.metrics else []

        return self.reworked(job, change)


class SeparatorsAreFound(StatsFault):
    """Finds the metrics of a dataset whose name holds the separator."""

    breaks = "job-stats/separator-in-dataset"

    def job_stats(self, job: Job) -> str:
        parts = [name.split("__")[-1] for name in job.datasets if "__" in name]
        return super().job_stats(replace(job, datasets=(*job.datasets, *parts)))


class DatasetsAreDistinct(StatsFault):
    """Takes datasets of one name for one."""

    breaks = "job-stats/repeated-dataset"

    def job_stats(self, job: Job) -> str:
        return super().job_stats(replace(job, datasets=tuple(dict.fromkeys(job.datasets))))


class UnknownDatasetsHaveMetrics(StatsFault):
    """Computes the configured metrics for every dataset."""

    breaks = "job-stats/unknown-dataset"

    def job_stats(self, job: Job) -> str:
        unknown = {trial.source for trial in job.planned_results() if trial.source} - {*job.datasets, "adhoc"}
        ended = {event.trial.source for event in job.events if event.trial}
        return super().job_stats(replace(job, datasets=(*job.datasets, *(name for name in unknown - ended if name))))


class AdhocHasOnlyMean(StatsFault):
    """Computes no more than one metric for trials without a dataset."""

    breaks = "job-stats/adhoc-metrics"

    def job_stats(self, job: Job) -> str:
        def change(stats: dict[str, Any]) -> None:
            for key, group in stats["evals"].items():
                group["metrics"] = group["metrics"][:1] if key.endswith("__adhoc") else group["metrics"]

        return super().job_stats(job) if "adhoc" in job.datasets else self.reworked(job, change)


class MetricsAreSorted(StatsFault):
    """Lists the metrics by name."""

    breaks = "job-stats/several-metrics"

    def job_stats(self, job: Job) -> str:
        return super().job_stats(replace(job, metrics=tuple(sorted(job.metrics))))


class CompletionOrder(StatsFault):
    """Counts trials in the order in which they ended."""

    breaks = "job-stats/planned-order"

    def job_stats(self, job: Job) -> str:
        ends = tuple(event for event in job.events if event.kind == "end")
        return super().job_stats(replace(job, events=ends) if job.finished else job)


class EarlierComeLast(StatsFault):
    """Counts the trials of an earlier run after the others."""

    breaks = "job-stats/earlier-first"

    def job_stats(self, job: Job) -> str:
        if not job.finished:
            return super().job_stats(job)
        again = {event.name for event in job.events}
        late = tuple(Event("end", trial.name, trial) for trial in job.earlier if trial.name not in again)
        finite = replace(job, events=job.events + late, earlier=tuple(t for t in job.earlier if t.name in again))
        return super().job_stats(finite)


class MetricsAreAddedOneByOne(StatsFault):
    """Adds the rewards of a group in a loop."""

    breaks = "job-stats/summation"

    def job_stats(self, job: Job) -> str:
        columns: dict[str, list[Number]] = {}
        for trial in job.planned_results():
            columns.setdefault(trial.key, []).append(next(iter((trial.rewards or {"": 0}).values()), 0))

        def change(stats: dict[str, Any]) -> None:
            for key, group in stats["evals"].items():
                total: Number = 0
                for value in columns.get(key, ()):
                    total += value
                for metric in group["metrics"] if isinstance(total, float) and len(group["reward_stats"]) < 2 else ():
                    metric.update({name: total for name in metric if name == "sum"})
                    metric.update({name: total / len(columns[key]) for name in metric if name == "mean"})

        return self.reworked(job, change) if job.finished else super().job_stats(job)


class NoPassAtK(StatsFault):
    """Never computes pass@k."""

    breaks = "job-stats/pass-at-k"

    def job_stats(self, job: Job) -> str:
        def change(stats: dict[str, Any]) -> None:
            for group in groups(stats):
                group["pass_at_k"] = {}

        return self.reworked(job, change)
