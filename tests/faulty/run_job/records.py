"""Faults of `run_job`: the files of a job."""

from parity.driver.documents import result_trees
from parity.operations.scenarios.records import Record
from tests.faulty.patches import Patch, replaced
from tests.faulty.run_job.fault import JobFault, JobRecordFault


class StatsHaveNoMetrics(JobRecordFault):
    """Leaves the metrics out of the stats."""

    breaks = "run-job/stats"

    def rewritten(self, record: Record) -> Record:
        for group in record["files"]["result.json"]["stats"]["evals"].values():
            group["metrics"] = []
        return record


class TasksAreCounted(JobRecordFault):
    """Gives one trial too few as the total."""

    breaks = "run-job/result"

    def rewritten(self, record: Record) -> Record:
        record["files"]["result.json"]["n_total_trials"] -= 1
        return record


class LockIsSorted(JobRecordFault):
    """Lists the trials in the lock in reverse."""

    breaks = "run-job/lock"

    def rewritten(self, record: Record) -> Record:
        record["files"]["lock.json"]["trials"].reverse()
        return record


class EmptySetsAreNull(JobRecordFault):
    """Writes an empty set of errors to config.json as none."""

    breaks = "run-job/config"
    seen_by = "test_retries"

    def rewritten(self, record: Record) -> Record:
        retry = record["files"]["config.json"]["retry"]
        record["files"]["config.json"]["retry"] = {key: None if value == [] else value for key, value in retry.items()}
        return record


class LogIsLost(JobRecordFault):
    """Writes no job.log."""

    breaks = "run-job/files"

    def rewritten(self, record: Record) -> Record:
        del record["files"]["job.log"]
        return record


class TrialsTakeLonger(JobRecordFault):
    """Stops every sandbox a second late."""

    breaks = "run-job/trials"

    def rewritten(self, record: Record) -> Record:
        for trial in record["trials"].values():
            for calls in trial["calls"]:
                for call in calls[-1].values():
                    call["at"] += 1.0
        return record


class RecordedNansAreApart(JobFault):
    """Takes every nan for one of its own, the literal of reward.json too."""

    breaks = "run-job/stats"
    seen_by = "test_what_is_seldom_drawn"

    def wrong(self) -> Patch:
        return replaced(result_trees, "literal_nans", lambda original: lambda rewards: ())
