"""Faults in the stats of a job that has ended: counters, metrics and order."""

from contextlib import suppress
from dataclasses import replace
from importlib import import_module
from typing import Any
from unittest import mock

from parity.runners import CleanRoom
from parity.scorer import Event, Job, JobTrial, Number, Rewards, Series, metrics
from parity.scorer.job_stats import RunningStats
from tests.faulty.addition import one_by_one
from tests.faulty.fault import breaks
from tests.faulty.job_stats.fault import Stats, each_group, each_trial, in_stats, number
from tests.faulty.patches import instead_of

_JOB_STATS = import_module("parity.scorer.job_stats")


@breaks("job-stats/pending", seen_by="test_finished_jobs")
@in_stats
def PendingMayBeNegative(stats: Stats, job: Job) -> None:
    """Subtracts what ended from what was planned, and nothing else."""
    stats["n_pending_trials"] = job.total - number(stats["n_completed_trials"])


@breaks("job-stats/overflow", seen_by="test_finished_jobs")
def OverflowIsNull(right: CleanRoom, job: Job) -> str:
    """Leaves out the rewards of trials that bring a metric beyond a double."""

    @each_trial
    def without(trial: JobTrial) -> JobTrial:
        small = all(isinstance(value, float) or abs(value) < 2**1000 for value in (trial.rewards or {}).values())
        return trial if small else replace(trial, rewards=None)

    try:
        return right.job_stats(job)
    except OverflowError:
        answer: str = without(right, job)
        return answer


@breaks("job-stats/shown-metric", seen_by="test_finished_jobs")
@instead_of(RunningStats, "show")
def NothingIsShown(original: Any, stats: RunningStats, event: Event) -> None:
    """Shows no metric while the job runs, so nothing that cannot be shown ends it."""
    with suppress(OverflowError):
        original(stats, event)


@breaks("job-stats/shown-dataset", seen_by="test_finished_jobs")
@instead_of(RunningStats, "show")
def UnknownDatasetsGoOn(original: Any, stats: RunningStats, event: Event) -> None:
    """Shows nothing of trials of a dataset that is not configured, and goes on."""
    with suppress(IndexError):
        original(stats, event)


@breaks("job-stats/default-metric", seen_by="test_finished_jobs")
@each_group
def NoDefaultMetric(group: Stats, job: Job) -> None:
    """Has no metrics where none is configured."""
    group["metrics"] = group["metrics"] if job.metrics else []


@breaks("job-stats/separator-in-dataset", seen_by="test_finished_jobs")
def SeparatorsAreFound(right: CleanRoom, job: Job) -> str:
    """Finds the metrics of a dataset whose name holds the separator."""
    parts = [name.split("__")[-1] for name in job.datasets if "__" in name]
    return right.job_stats(replace(job, datasets=(*job.datasets, *parts)))


@breaks("job-stats/repeated-dataset", seen_by="test_finished_jobs")
def DatasetsAreDistinct(right: CleanRoom, job: Job) -> str:
    """Takes datasets of one name for one."""
    return right.job_stats(replace(job, datasets=tuple(dict.fromkeys(job.datasets))))


@breaks("job-stats/unknown-dataset", seen_by="test_finished_jobs")
def UnknownDatasetsHaveMetrics(right: CleanRoom, job: Job) -> str:
    """Computes the configured metrics for every dataset."""
    unknown = {trial.source for trial in job.planned_results() if trial.source} - {*job.datasets, "adhoc"}
    ended = {event.trial.source for event in job.events if event.trial}
    return right.job_stats(replace(job, datasets=(*job.datasets, *(name for name in unknown - ended if name))))


@breaks("job-stats/adhoc-metrics", seen_by="test_finished_jobs")
@in_stats
def AdhocHasOnlyMean(stats: Stats, job: Job) -> None:
    """Computes no more than one metric for trials without a dataset."""
    for key, group in stats["evals"].items():
        if key.endswith("__adhoc") and "adhoc" not in job.datasets:
            del group["metrics"][1:]


@breaks("job-stats/several-metrics", seen_by="test_finished_jobs")
def MetricsAreSorted(right: CleanRoom, job: Job) -> str:
    """Lists the metrics by name."""
    return right.job_stats(replace(job, metrics=tuple(sorted(job.metrics))))


@breaks("job-stats/planned-order", seen_by="test_finished_jobs")
def CompletionOrder(right: CleanRoom, job: Job) -> str:
    """Counts trials in the order in which they ended."""
    ends = tuple(event for event in job.events if event.kind == "end")
    return right.job_stats(replace(job, events=ends) if job.finished else job)


@breaks("job-stats/earlier-first", seen_by="test_finished_jobs")
def EarlierComeLast(right: CleanRoom, job: Job) -> str:
    """Counts the trials of an earlier run after the others."""
    if not job.finished:
        return right.job_stats(job)
    again = {event.name for event in job.events}
    late = tuple(Event("end", trial.name, trial) for trial in job.earlier if trial.name not in again)
    finite = replace(job, events=job.events + late, earlier=tuple(t for t in job.earlier if t.name in again))
    return right.job_stats(finite)


@breaks("job-stats/summation", seen_by="test_finished_jobs")
@in_stats
def MetricsAreAddedOneByOne(stats: Stats, job: Job) -> None:
    """Adds the rewards of a group in a loop."""
    columns: dict[str, list[Number]] = {}
    for trial in job.planned_results() if job.finished else ():
        columns.setdefault(trial.key, []).append(next(iter((trial.rewards or {"": 0}).values()), 0))
    for key, group in stats["evals"].items():
        total = one_by_one(columns.get(key, ()))
        for metric in group["metrics"] if isinstance(total, float) and len(group["reward_stats"]) < 2 else ():
            metric.update({name: total for name in metric if name == "sum"})
            metric.update({name: total / len(columns[key]) for name in metric if name == "mean"})


@breaks("job-stats/no-reward-is-zero", seen_by="test_finished_jobs")
@instead_of(_JOB_STATS, "aggregate")
def NoRewardIsLeftOut(original: Any, metric: str, rewards: list[Rewards | None], *, series: Series) -> Rewards:
    """Computes metrics over the trials with rewards, if there is one."""
    rewarded: Rewards = original(metric, [each for each in rewards if each] or rewards, series=series)
    return rewarded


@breaks("job-stats/no-reward-fails", seen_by="test_finished_jobs")
@instead_of(_JOB_STATS, "pass_at_k")
def NoRewardIsNoAttempt(original: Any, trials: list[JobTrial], *, series: Series) -> Any:
    """Computes pass@k over the trials with rewards."""
    return original([trial for trial in trials if trial.rewards is not None], series=series)


@breaks("job-stats/pass-at-k", seen_by="test_finished_jobs")
@each_group
def NoPassAtK(group: Stats, job: Job) -> None:
    """Never computes pass@k."""
    group["pass_at_k"] = {}


@breaks("job-stats/summation", seen_by="test_large_jobs")
def HalvesAreAdded(right: CleanRoom, job: Job) -> str:
    """Adds the rewards of more than 32 trials as the sums of their halves."""

    def added(values: list[Number], series: Series) -> Number:
        half = len(values) // 2
        return added(values[:half], series) + added(values[half:], series) if half else values[0]

    def total(values: list[Number], series: Series) -> Number:
        return added(values, series) if len(values) > 32 else exact(values, series)

    def mean(values: list[Number], series: Series) -> Number:
        return total(values, series) / len(values)

    exact = metrics.METRICS["sum"]
    with mock.patch.dict(metrics.METRICS, {"sum": total, "mean": mean}):
        return right.job_stats(job)
