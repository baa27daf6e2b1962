"""Faults in how jobs are run: which trials, when, how often, and what is written of them."""

import asyncio
from dataclasses import replace
from typing import Any

from parity.driver import job_plan
from parity.driver.errors import InvalidTask
from parity.driver.job_plan import JobPlan, JobRefused
from parity.driver.job_progress import JobProgress
from parity.operations.scenarios.records import Record
from tests.faulty.fault import breaks
from tests.faulty.patches import instead_of
from tests.faulty.run_job.fault import at_a_time, in_plan, in_record, numbered


@breaks("run-job/overflow", seen_by="test_ends")
@instead_of(JobProgress, "on_event")
def OverflowCancels(original: Any, progress: Any, event: Any) -> None:
    """Takes a reward beyond the range of a double for a cancellation."""
    try:
        original(progress, event)
    except OverflowError:
        raise asyncio.CancelledError from None


@breaks("run-job/left-out", seen_by="test_jobs")
@instead_of(job_plan, "read_task")
def NoTasksAreRefused(original: Any, *arguments: Any, **options: Any) -> Any:
    """Refuses a dataset with a folder that is no task."""
    try:
        return original(*arguments, **options)
    except InvalidTask as error:
        raise JobRefused(str(error)) from None


@breaks("run-job/tasks", seen_by="test_jobs")
@in_plan
def LastTaskIsForgotten(plan: JobPlan) -> JobPlan:
    """Leaves out the last of several tasks."""
    last = plan.trials[-1].task
    kept = tuple(trial for trial in plan.trials if trial.task != last)
    return replace(plan, trials=kept or plan.trials)


@breaks("run-job/planned-order", seen_by="test_jobs")
@in_plan
def TasksBeforeAttempts(plan: JobPlan) -> JobPlan:
    """Plans all attempts at the first task before those at the second."""
    places = {trial.task: place for place, trial in reversed(list(enumerate(plan.trials)))}
    return replace(plan, trials=numbered(sorted(plan.trials, key=lambda trial: places[trial.task])))


@breaks("run-job/cancelled", seen_by="test_ends")
@in_record
def CancelledJobsFinish(record: Record) -> None:
    """Calls a job finished although a trial was cancelled."""
    record["files"]["result.json"]["finished_at"] = "…"


@breaks("run-job/same-name", seen_by="test_retries")
@in_record
def FurtherRunsAreRenamed(record: Record) -> None:
    """Gives a further run of a trial a name of its own."""
    trials = record["trials"]
    for name, trial in list(trials.items()):
        for number, calls in enumerate(trial["calls"][1:], 1):
            trials[f"{name[:-7]}{number}{name[-6:]}"] = {**trial, "calls": [calls]}
        del trial["calls"][1:]


@breaks("run-job/concurrency", seen_by="test_jobs")
@at_a_time
def OneTrialMore(most: int) -> int:
    """Runs one trial more at a time than it may."""
    return most + 1
