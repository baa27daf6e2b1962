"""Faults of `run_job`: the files of a job."""

from typing import Any

from parity.driver.documents import result_trees
from parity.operations.scenarios.records import Record
from tests.faulty.fault import breaks
from tests.faulty.patches import instead_of
from tests.faulty.run_job.fault import in_record


@breaks("run-job/stats", seen_by="test_jobs")
@in_record
def StatsHaveNoMetrics(record: Record) -> None:
    """Leaves the metrics out of the stats."""
    for group in record["files"]["result.json"]["stats"]["evals"].values():
        group["metrics"] = []


@breaks("run-job/step-errors", seen_by="test_jobs")
@in_record
def StepErrorsCount(record: Record) -> None:
    """Counts the errors of steps as errors of their trials."""
    for trial in record["trials"].values():
        result = trial["result"]
        if not result["exception_info"] and any(step["exception_info"] for step in result["step_results"] or ()):
            record["files"]["result.json"]["stats"]["n_errored_trials"] += 1


@breaks("run-job/result", seen_by="test_jobs")
@in_record
def TasksAreCounted(record: Record) -> None:
    """Gives one trial too few as the total."""
    record["files"]["result.json"]["n_total_trials"] -= 1


@breaks("run-job/lock", seen_by="test_jobs")
@in_record
def LockIsSorted(record: Record) -> None:
    """Lists the trials in the lock in reverse."""
    record["files"]["lock.json"]["trials"].reverse()


@breaks("run-job/config", seen_by="test_retries")
@in_record
def EmptySetsAreNull(record: Record) -> None:
    """Writes an empty set of errors to config.json as none."""
    retry = record["files"]["config.json"]["retry"]
    record["files"]["config.json"]["retry"] = {key: None if value == [] else value for key, value in retry.items()}


@breaks("run-job/files", seen_by="test_jobs")
@in_record
def LogIsLost(record: Record) -> None:
    """Writes no job.log."""
    del record["files"]["job.log"]


@breaks("run-job/trials", seen_by="test_jobs")
@in_record
def TrialsTakeLonger(record: Record) -> None:
    """Stops every sandbox a second late."""
    for trial in record["trials"].values():
        for calls in trial["calls"]:
            for call in calls[-1].values():
                call["at"] += 1.0


@breaks("run-job/stats", seen_by="test_what_is_seldom_drawn")
@instead_of(result_trees, "literal_nans")
def RecordedNansAreApart(original: Any, rewards: Any) -> Any:
    """Takes every nan for one of its own, the literal of reward.json too."""
    return ()
