"""Faults in the stats of a job that runs or is resumed."""

import json
import re
from dataclasses import replace

from parity.runners import CleanRoom
from parity.scorer import Event, Job, JobTrial, Series, pass_at_k
from tests.faulty.fault import breaks
from tests.faulty.job_stats.fault import Stats, each_group, in_stats, number


@breaks("job-stats/not-resumable", seen_by="test_resumed_jobs")
def ResumesEverything(right: CleanRoom, job: Job) -> str:
    """Resumes a job whose rewards were written as null."""

    def read(trial: JobTrial) -> JobTrial:
        kept = {key: value for key, value in (trial.rewards or {}).items() if abs(value) < float("inf")}
        return replace(trial, rewards=None if trial.rewards is None else kept)

    return right.job_stats(replace(job, earlier=tuple(map(read, job.earlier))))


@breaks("job-stats/retry-is-counted", seen_by="test_live_path")
@in_stats
def RetriesAreNotCounted(stats: Stats, job: Job) -> None:
    """Keeps the retries of the earlier run."""
    stats["n_retries"] = job.retries


@breaks("job-stats/replacing-is-no-retry", seen_by="test_live_path")
@in_stats
def ReplacingIsARetry(stats: Stats, job: Job) -> None:
    """Counts a result that replaces another as a retry."""
    ended = {trial.name for trial in job.earlier}
    again = 0
    for event in job.events:
        again += event.kind == "end" and event.name in ended
        ended ^= {event.name} & ended if event.kind == "start" else {event.name} - ended
    stats["n_retries"] = number(stats["n_retries"]) + again


@breaks("job-stats/taken-back", seen_by="test_live_path")
@each_group
def EmptyListsAreDropped(group: Stats, job: Job) -> None:
    """Drops the lists of names that a retry has emptied."""
    for table in (group["exception_stats"], *group["reward_stats"].values()):
        if isinstance(table, dict):
            for key in [key for key, names in table.items() if names == []]:
                del table[key]


@breaks("job-stats/usage-taken-back", seen_by="test_live_path")
@in_stats
def UsageIsKept(stats: Stats, job: Job) -> None:
    """Leaves the usage of a retried trial in the totals."""
    trials = [*job.earlier, *(event.trial for event in job.events if event.trial)]
    counts = [used.input_tokens for trial in trials for used in trial.usage if used.input_tokens is not None]
    if counts and not job.finished:
        stats["n_input_tokens"] = sum(counts)


@breaks("job-stats/interim-resumed-metrics", seen_by="test_live_path")
def ResumedMetricsAreThere(right: CleanRoom, job: Job) -> str:
    """Computes the metrics of all groups as soon as a job is resumed."""
    if job.finished or not job.earlier:
        return right.job_stats(job)
    events = tuple(Event("end", trial.name, trial) for trial in job.earlier)
    text = right.job_stats(replace(job, events=events + job.events))
    retries = f'"n_retries": {json.loads(right.job_stats(job))["n_retries"]}'
    return re.sub(r'"n_retries": \d+', retries, text)


@breaks("job-stats/interim-metrics", seen_by="test_live_path")
@each_group
def InterimMetricsAreLate(group: Stats, job: Job) -> None:
    """Has no metrics before the job ends."""
    group["metrics"] = group["metrics"] if job.finished else []


@breaks("job-stats/interim-pass-at-k", seen_by="test_live_path")
@in_stats
def InterimPassAtK(stats: Stats, job: Job) -> None:
    """Computes pass@k all the time."""
    if not job.finished:
        estimates = pass_at_k(job.planned_results(), series=Series.running())
        for key, group in stats["evals"].items():
            group["pass_at_k"] = {str(k): value for k, value in estimates.get(key, {}).items()}


@breaks("job-stats/running", seen_by="test_live_path")
@in_stats
def EndedTrialsRun(stats: Stats, job: Job) -> None:
    """Takes a trial that was started for running until the job ends."""
    stats["n_running_trials"] = len({event.name for event in job.events if event.kind == "start"})


@breaks("job-stats/cancelled", seen_by="test_live_path")
@in_stats
def CancelledByErrorAlone(stats: Stats, job: Job) -> None:
    """Counts cancelled trials by their error alone, each time."""
    lists = [group["exception_stats"].get("CancelledError", []) for group in stats["evals"].values()]
    stats["n_cancelled_trials"] = sum(map(len, lists))
