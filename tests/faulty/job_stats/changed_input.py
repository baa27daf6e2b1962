"""Faults that no answer shows: runners that change what they are given."""

from parity.scorer import Job
from tests.faulty.fault import Fault, sort_keys


class SortsRewards(Fault):
    """Sorts the reward keys of every trial of a job in place."""

    breaks = "job-stats/leaves-its-input-alone"
    seen_by = "test_finished_jobs"

    def job_stats(self, job: Job) -> str:
        stats = super().job_stats(job)
        for trial in [*job.earlier, *(event.trial for event in job.events if event.trial)]:
            sort_keys(trial.rewards)
        return stats
