"""Run a job: run its trials in parallel, with retries, and continue where an earlier run stopped.

Rules: `run-job/*`.
"""

import asyncio
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from parity.driver.course import EventListener, TrialEvent, ignore_event, run_trial
from parity.driver.documents.lock import lock_of, lock_tree
from parity.driver.documents.results import Result
from parity.driver.documents.resume import EarlierRuns, resume
from parity.driver.documents.writing import write_document
from parity.driver.job_plan import JobPlan
from parity.driver.job_progress import JobLog, JobProgress
from parity.driver.threads import blocking, in_thread
from parity.driver.trial_plan import RunContext, Trial
from parity.formats.configuration import RetryConfiguration
from parity.formats.trial_result import TrialResult
from parity.scorer.job import Event, Job
from parity.scorer.job_directory.trial_file import job_trial
from parity.scorer.job_stats import RunningStats, final_stats, metrics_of_datasets
from parity.scorer.stats import Stats

type EarlierListener = Callable[[EarlierRuns], None]
"""A callback that receives the results of earlier runs. It is called once, before any trial starts."""


@dataclass(frozen=True)
class JobEnd:
    """The results of a job that has ended."""

    results: tuple[TrialResult[Any, Any], ...]
    """The results of all trials: first those from earlier runs, then those from this run in the planned order."""

    stats: Stats


async def run_plan(
    plan: JobPlan,
    context: RunContext,
    *,
    on_event: EventListener = ignore_event,
    on_earlier: EarlierListener | None = None,
    invocation: Sequence[str] | None = None,
    others_first: bool = False,
) -> JobEnd:
    """Run the job, or resume it if its directory has files from an earlier run.

    Args:
        plan: the trials to run.
        context: the sandboxes and the Python series for them.
        on_event: called at each event of each trial.
        on_earlier: called with the results of earlier runs, if there were any.
        invocation: the command line, for lock.json.
        others_first: whether to finish all trials before a metric beyond the range of a double ends the job. Harbor
            ends the job at once.

    Raises:
        ResumeError: the directory contains a different job, or one of its files cannot be read.
        JobDirectoryInUse: another process is running the job.
        asyncio.CancelledError: the job was cancelled. Its directory is complete up to that time, and no sandbox is
            left, unless the job was cancelled twice.
        ExceptionGroup: a metric is beyond the range of a double (the group contains an OverflowError), or a trial's
            files could not be written. The remaining trials were cancelled.
        OverflowError: a metric is beyond the range of a double, because of rewards from earlier runs alone.
    """
    directory = plan.directory
    directory.mkdir(parents=True, exist_ok=True)
    with JobLog(directory) as log:
        lock = lock_of(plan, datetime.now(UTC), invocation)
        earlier = resume(plan, lock)
        if earlier is not None and on_earlier is not None:
            on_earlier(earlier)
        begun = earlier or EarlierRuns(plan.trials)
        running = _RunningJob(plan, context, on_event, log, begun, others_first=others_first)
        # Rule: run-job/files
        write_document(directory / "config.json", plan.written)
        if not (directory / "lock.json").exists():
            write_document(directory / "lock.json", lock_tree(lock))
        try:
            return await running.run()
        except BaseException as error:
            log.write(f"ended by {type(error).__name__}: {error}")
            raise
        finally:
            await context.all_stopped()


class _RunningJob:
    def __init__(
        self,
        plan: JobPlan,
        context: RunContext,
        on_event: EventListener,
        log: JobLog,
        earlier: EarlierRuns,
        *,
        others_first: bool,
    ) -> None:
        self._others_first = others_first
        self._overflow: OverflowError | None = None
        self._plan, self._context, self._on_event, self._log = plan, context, on_event, log
        self._earlier = earlier
        metrics = [metric.type for metric in plan.job.metrics]
        # Rule: run-job/metrics
        self._metrics = metrics_of_datasets(metrics, plan.datasets)
        self._seats = asyncio.Semaphore(plan.job.n_concurrent_trials)
        job = Job(len(plan.trials), earlier=tuple(map(job_trial, earlier.results)), retries=earlier.n_retries)
        running = RunningStats(job, self._metrics, context.series)
        self._progress = JobProgress(plan.directory, earlier.job_id, earlier.started_at, len(plan.trials), running)

    async def run(self) -> JobEnd:
        self._log.write(f"{len(self._earlier.remaining)} of {len(self._plan.trials)} trials are to be run")
        self._progress.write()
        # Rules: run-job/program-ends, run-job/ends
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(self._run_in_turn(trial)) for trial in self._earlier.remaining]
        # Rules: run-job/cancelled, run-job/resume-kept
        # `result()` raises an exception if a single trial was cancelled, and this ends the job.
        results: list[TrialResult[Any, Any]] = [*self._earlier.results, *(task.result() for task in tasks)]
        # Rule: run-job/overflow
        if self._overflow is not None:
            raise ExceptionGroup("a metric is beyond a double", [self._overflow])
        stats = final_stats(list(map(job_trial, results)), self._metrics, self._context.series)
        self._progress.finish(stats)
        self._log.write("finished")
        return JobEnd(tuple(results), stats)

    async def _run_in_turn(self, trial: Trial) -> Result:
        # Rule: run-job/concurrency
        async with self._seats:
            return await self._run_with_retries(trial)

    async def _run_with_retries(self, trial: Trial) -> Result:
        retry = self._plan.job.retry
        runs = 0
        while True:
            # Rules: run-job/trials, run-job/same-name
            result = await run_trial(trial, self._context, self._progress.id, self._report)
            error = None if result.exception_info is None else result.exception_info.exception_type
            # Rules: run-job/no-error-no-retry, run-job/retry-limit
            if error is None or runs == retry.max_retries or not is_retried(error, retry):
                # Rule: run-job/last-run-counts
                return result
            self._log.write(f"{trial.name} is run again after {error}")
            # Rule: run-job/folder-anew
            await in_thread(_remove_run, trial.directory.path)
            # Rules: run-job/waits, run-job/longest-wait
            await asyncio.sleep(min(retry.min_wait_sec * retry.wait_multiplier**runs, retry.max_wait_sec))
            runs += 1

    def _report(self, event: TrialEvent, trial: Trial, result: Result) -> None:
        if event in ("start", "cancel", "end"):
            error = result.exception_info
            self._log.write(f"{trial.name}: {event}" + (f", {error.exception_type}" if error else ""))
            try:
                self._progress.add(Event(event, trial.name, job_trial(result) if event == "end" else None))
            except OverflowError as overflow:
                if not self._others_first:
                    raise
                self._overflow = self._overflow or overflow
        self._on_event(event, trial, result)


@blocking
def _remove_run(directory: Path) -> None:
    """Remove a trial's directory, the result first: if this process is killed, resuming the job runs it again."""
    (directory / "result.json").unlink(missing_ok=True)
    shutil.rmtree(directory, ignore_errors=True)


def is_retried(error: str, retry: RetryConfiguration) -> bool:
    """Return whether a trial with this error is retried.

    Errors are compared by their class names. An excluded name wins over an included name.
    """
    # Rules: run-job/excluded, run-job/excluded-beats-included
    if retry.exclude_exceptions and error in retry.exclude_exceptions:
        return False
    # Rules: run-job/included, run-job/retried
    return not retry.include_exceptions or error in retry.include_exceptions
