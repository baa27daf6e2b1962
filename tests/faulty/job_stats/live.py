"""Faults in the stats of a job that runs or is resumed."""

import json
import re
from dataclasses import replace
from typing import Any

from parity.scorer import Event, Job, JobTrial
from tests.faulty.job_stats.fault import StatsFault, groups, number


class ResumesEverything(StatsFault):
    """Resumes a job whose rewards were written as null."""

    breaks = "job-stats/not-resumable"
    seen_by = "test_resumed_jobs"

    def job_stats(self, job: Job) -> str:
        def read(trial: JobTrial) -> JobTrial:
            kept = {key: value for key, value in (trial.rewards or {}).items() if abs(value) < float("inf")}
            return replace(trial, rewards=None if trial.rewards is None else kept)

        return super().job_stats(replace(job, earlier=tuple(map(read, job.earlier))))


class RetriesAreNotCounted(StatsFault):
    """Keeps the retries of the earlier run."""

    breaks = "job-stats/retry-is-counted"
    seen_by = "test_live_path"

    def job_stats(self, job: Job) -> str:
        def change(stats: dict[str, Any]) -> None:
            stats["n_retries"] = job.retries

        return self.reworked(job, change)


class ReplacingIsARetry(StatsFault):
    """Counts a result that replaces another as a retry."""

    breaks = "job-stats/replacing-is-no-retry"
    seen_by = "test_live_path"

    def job_stats(self, job: Job) -> str:
        ended = {trial.name for trial in job.earlier}
        again = 0
        for event in job.events:
            again += event.kind == "end" and event.name in ended
            ended ^= {event.name} & ended if event.kind == "start" else {event.name} - ended

        def change(stats: dict[str, Any]) -> None:
            stats["n_retries"] = number(stats["n_retries"]) + again

        return self.reworked(job, change)


class EmptyListsAreDropped(StatsFault):
    """Drops the lists of names that a retry has emptied."""

    breaks = "job-stats/taken-back"
    seen_by = "test_live_path"

    def job_stats(self, job: Job) -> str:
        def change(stats: dict[str, Any]) -> None:
            for group in groups(stats):
                for table in (group["exception_stats"], *group["reward_stats"].values()):
                    if isinstance(table, dict):
                        for key in [key for key, names in table.items() if names == []]:
                            del table[key]

        return self.reworked(job, change)


class UsageIsKept(StatsFault):
    """Leaves the usage of a retried trial in the totals."""

    breaks = "job-stats/usage-taken-back"
    seen_by = "test_live_path"

    def job_stats(self, job: Job) -> str:
        trials = [*job.earlier, *(event.trial for event in job.events if event.trial)]
        counts = [used.input_tokens for trial in trials for used in trial.usage if used.input_tokens is not None]

        def change(stats: dict[str, Any]) -> None:
            if counts and not job.finished:
                stats["n_input_tokens"] = sum(counts)

        return self.reworked(job, change)


class ResumedMetricsAreThere(StatsFault):
    """Computes the metrics of all groups as soon as a job is resumed."""

    breaks = "job-stats/interim-resumed-metrics"
    seen_by = "test_live_path"

    def job_stats(self, job: Job) -> str:
        if job.finished or not job.earlier:
            return super().job_stats(job)
        events = tuple(Event("end", trial.name, trial) for trial in job.earlier)
        text = super().job_stats(replace(job, events=events + job.events))
        retries = f'"n_retries": {json.loads(super().job_stats(job))["n_retries"]}'
        return re.sub(r'"n_retries": \d+', retries, text)


class InterimMetricsAreLate(StatsFault):
    """Has no metrics before the job ends."""

    breaks = "job-stats/interim-metrics"
    seen_by = "test_live_path"

    def job_stats(self, job: Job) -> str:
        def change(stats: dict[str, Any]) -> None:
            for group in groups(stats):
                group["metrics"] = group["metrics"] if job.finished else []

        return self.reworked(job, change)


class InterimPassAtK(StatsFault):
    """Computes pass@k all the time."""

    breaks = "job-stats/interim-pass-at-k"
    seen_by = "test_live_path"

    def job_stats(self, job: Job) -> str:
        estimates = super().pass_at_k(job.planned_results())

        def change(stats: dict[str, Any]) -> None:
            for key, group in stats["evals"].items():
                group["pass_at_k"] = {str(k): value for k, value in estimates.get(key, {}).items()}

        return super().job_stats(job) if job.finished else self.reworked(job, change)


class EndedTrialsRun(StatsFault):
    """Takes a trial that was started for running until the job ends."""

    breaks = "job-stats/running"
    seen_by = "test_live_path"

    def job_stats(self, job: Job) -> str:
        def change(stats: dict[str, Any]) -> None:
            stats["n_running_trials"] = len({event.name for event in job.events if event.kind == "start"})

        return self.reworked(job, change)


class CancelledByErrorAlone(StatsFault):
    """Counts cancelled trials by their error alone, each time."""

    breaks = "job-stats/cancelled"
    seen_by = "test_live_path"

    def job_stats(self, job: Job) -> str:
        def change(stats: dict[str, Any]) -> None:
            lists = [group["exception_stats"].get("CancelledError", []) for group in groups(stats)]
            stats["n_cancelled_trials"] = sum(map(len, lists))

        return self.reworked(job, change)
