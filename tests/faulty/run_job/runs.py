"""Faults in how jobs are run: which trials, when, how often, and what is written of them."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any
from unittest import mock

from parity.driver import job as running
from parity.driver import job_plan
from parity.driver.documents.configurations import PlannedTrial
from parity.driver.job_plan import JobPlan, JobRefused
from parity.driver.job_progress import JobProgress
from parity.driver.settings import RetrySettings
from parity.driver.task_table import InvalidTask
from parity.operations.scenarios import execution
from parity.operations.scenarios.records import Record
from tests.faulty.patches import Patch, replaced
from tests.faulty.run_job.fault import JobFault, JobRecordFault


def _with_plan(change: Callable[[JobPlan], JobPlan]) -> Patch:
    """Jobs that are run by another plan."""
    return replaced(execution, "plan_job", lambda original: lambda *arguments: change(original(*arguments)))


def with_retry(change: Callable[[RetrySettings], RetrySettings]) -> Patch:
    """Jobs that are planned as they should be, and run with other retries."""

    def changed(original: Any) -> Any:
        async def run(work: Any, trial: Any) -> Any:
            settings = work._plan.settings
            work._plan = replace(work._plan, settings=replace(settings, retry=change(settings.retry)))
            try:
                return await original(work, trial)
            finally:
                work._plan = replace(work._plan, settings=settings)

        return run

    return replaced(running._RunningJob, "_run_with_retries", changed)


def with_decision(decide: Callable[[str, RetrySettings], bool]) -> Patch:
    """Let another function decide whether an error is retried."""
    return mock.patch.object(running, "is_retried", decide)


class OverflowCancels(JobFault):
    """Takes a reward beyond the range of a double for a cancellation."""

    breaks = "run-job/overflow"
    seen_by = "test_ends"

    def wrong(self) -> Patch:
        def changed(original: Any) -> Any:
            def on_event(progress: Any, event: Any) -> None:
                try:
                    original(progress, event)
                except OverflowError:
                    raise asyncio.CancelledError from None

            return on_event

        return replaced(JobProgress, "on_event", changed)


class NoTasksAreRefused(JobFault):
    """Refuses a dataset with a folder that is no task."""

    breaks = "run-job/left-out"
    seen_by = "test_jobs"

    def wrong(self) -> Patch:
        def changed(original: Any) -> Any:
            def read(*arguments: Any, **options: Any) -> Any:
                try:
                    return original(*arguments, **options)
                except InvalidTask as error:
                    raise JobRefused(str(error)) from None

            return read

        return replaced(job_plan, "read_task", changed)


class LastTaskIsForgotten(JobFault):
    """Leaves out the last of several tasks."""

    breaks = "run-job/tasks"
    seen_by = "test_jobs"

    def wrong(self) -> Patch:
        def change(plan: JobPlan) -> JobPlan:
            last = plan.trials[-1].task
            kept = tuple(trial for trial in plan.trials if trial.task != last)
            return replace(plan, trials=kept or plan.trials)

        return _with_plan(change)


class TasksBeforeAttempts(JobFault):
    """Plans all attempts at the first task before those at the second."""

    breaks = "run-job/planned-order"
    seen_by = "test_jobs"

    def wrong(self) -> Patch:
        def change(plan: JobPlan) -> JobPlan:
            places = {trial.task: place for place, trial in reversed(list(enumerate(plan.trials)))}
            ordered = sorted(plan.trials, key=lambda trial: places[trial.task])
            return replace(plan, trials=tuple(map(_renamed, ordered, range(len(ordered)))))

        return _with_plan(change)


def _renamed(trial: PlannedTrial, place: int) -> PlannedTrial:
    return replace(trial, name=f"{trial.name[:-7]}{place:07}")


class CancelledJobsFinish(JobRecordFault):
    """Calls a job finished of which a trial was cancelled."""

    breaks = "run-job/cancelled"
    seen_by = "test_ends"

    def rewritten(self, record: Record) -> Record:
        record["files"]["result.json"]["finished_at"] = "…"
        return record


class FurtherRunsAreRenamed(JobRecordFault):
    """Gives a further run of a trial a name of its own."""

    breaks = "run-job/same-name"
    seen_by = "test_retries"

    def rewritten(self, record: Record) -> Record:
        trials = record["trials"]
        for name, trial in list(trials.items()):
            for number, calls in enumerate(trial["calls"][1:], 1):
                trials[f"{name[:-7]}{number}{name[-6:]}"] = {**trial, "calls": [calls]}
            del trial["calls"][1:]
        return record


class OneTrialMore(JobFault):
    """Runs one trial more at a time than it may."""

    breaks = "run-job/concurrency"
    seen_by = "test_jobs"

    def wrong(self) -> Patch:
        return replaced(
            running, "asyncio", lambda original: _like(original, Semaphore=lambda most: original.Semaphore(most + 1))
        )


class OneTrialAtATime(JobFault):
    """Runs one trial after another."""

    breaks = "run-job/concurrency"
    seen_by = "test_jobs"

    def wrong(self) -> Patch:
        return replaced(
            running, "asyncio", lambda original: _like(original, Semaphore=lambda most: original.Semaphore(1))
        )


class SeatsAreFreeInBetween(JobFault):
    """Lets another trial run while one waits to be run again."""

    breaks = "run-job/concurrency"

    def wrong(self) -> Patch:
        def changed(original: Any) -> Any:
            async def run(work: Any, trial: Any) -> Any:
                async def sleep(seconds: float) -> None:
                    work._seats.release()
                    await asyncio.sleep(seconds)
                    await work._seats.acquire()

                with mock.patch.object(running, "asyncio", _like(asyncio, sleep=sleep)):
                    return await original(work, trial)

            return run

        return replaced(running._RunningJob, "_run_with_retries", changed)


def _like(module: Any, **others: Any) -> Any:
    return SimpleNamespace(**{**vars(module), **others})
