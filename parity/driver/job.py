"""Run a job: its trials in parallel, with retries, from where an earlier run stopped. Rules: `run-job/*`."""

import asyncio
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from uuid import uuid4

from parity.driver.documents.configurations import PlannedTrial, job_config_tree, trial_config_tree
from parity.driver.documents.lock import lock_tree
from parity.driver.documents.result_trees import TrialRecord
from parity.driver.documents.resume import EarlierRuns, resume
from parity.driver.documents.task_digests import task_checksum
from parity.driver.documents.writing import write_text
from parity.driver.job_plan import JobPlan
from parity.driver.job_progress import JobLog, JobProgress
from parity.driver.places import TrialFolder
from parity.driver.settings import RetrySettings
from parity.driver.trial import MomentListener, ignore_moment, run_trial
from parity.driver.trial_plan import Moment, RunContext, TrialPlan
from parity.scorer.job import Event, Job, JobTrial
from parity.scorer.job_stats import RunningStats, final_stats, metrics_of_datasets
from parity.scorer.result_text import Tree, Written, text_of
from parity.scorer.stats import Stats

type GoingOn = Callable[[EarlierRuns], None]
"""A callback for the results of earlier runs, called once before any trial."""


@dataclass(frozen=True)
class JobEnd:
    """The result of a job that has ended."""

    trials: tuple[JobTrial, ...]
    """All trials: those of earlier runs first, then the others in planned order."""

    stats: Stats
    document: Tree
    """The job's result.json."""


async def run_plan(
    plan: JobPlan,
    context: RunContext,
    *,
    on_moment: MomentListener = ignore_moment,
    on_earlier: GoingOn | None = None,
    invocation: Sequence[str] | None = None,
    others_first: bool = False,
) -> JobEnd:
    """Run the job, or resume it if its folder exists.

    Args:
        plan: the trials to run.
        context: where to run them.
        on_moment: called at each moment of each trial.
        on_earlier: called with the results of earlier runs, if there were any.
        invocation: the command line, for lock.json.
        others_first: whether a metric beyond a double ends the job only after all trials have ended. Harbor
            ends it at once.

    Raises:
        ResumeError: the folder holds another job, or a file of it cannot be read.
        JobFolderInUse: another process runs the job.
        asyncio.CancelledError: the job was cancelled. Its folder is complete up to then, and no sandbox is left,
            unless it was cancelled twice.
        ExceptionGroup: a metric is beyond a double (the group holds an OverflowError), or a trial could not be
            written. The other trials were cancelled.
        OverflowError: a metric is beyond a double because of rewards of earlier trials alone.
    """
    folder = plan.settings.folder
    folder.mkdir(parents=True, exist_ok=True)
    with JobLog(folder) as log:
        lock = lock_tree(plan.settings, plan.trials, datetime.now(UTC), invocation=invocation, host=context.host)
        earlier = resume(plan.settings, plan.trials, lock, host=context.host)
        if earlier is not None and on_earlier is not None:
            on_earlier(earlier)
        running = _RunningJob(plan, context, on_moment, log, earlier, others_first=others_first)
        # Rule: run-job/files
        write_text(folder / "config.json", text_of(job_config_tree(plan.settings, host=context.host)))
        if not (folder / "lock.json").exists():
            write_text(folder / "lock.json", text_of(lock))
        try:
            return await running.run()
        except BaseException as error:
            log.write(f"ended by {type(error).__name__}: {error}")
            raise
        finally:
            await context.all_stopped()


class _RunningJob:
    """A running job."""

    def __init__(
        self,
        plan: JobPlan,
        context: RunContext,
        on_moment: MomentListener,
        log: JobLog,
        earlier: EarlierRuns | None,
        *,
        others_first: bool,
    ) -> None:
        self._others_first = others_first
        self._overflow: OverflowError | None = None
        self._plan, self._context, self._on_moment, self._log = plan, context, on_moment, log
        self._remaining = plan.trials if earlier is None else earlier.remaining
        self._earlier = () if earlier is None else earlier.trials
        # Rule: run-job/metrics
        self._metrics = metrics_of_datasets(plan.settings.metrics, plan.datasets)
        self._checksums: dict[Path, str] = {}
        self._configs: dict[tuple[Path, int], Mapping[str, Tree]] = {}
        self._seats = asyncio.Semaphore(plan.settings.n_concurrent)
        job = Job(
            len(plan.trials),
            metrics=plan.settings.metrics,
            datasets=plan.datasets,
            earlier=self._earlier,
            retries=earlier.n_retries if earlier else 0,
            finished=False,
        )
        self._progress = JobProgress(
            plan.settings.folder,
            # Rule: run-job/resume-same-job
            (earlier and earlier.job_id) or uuid4(),
            (earlier and earlier.started_at) or datetime.now(),
            len(plan.trials),
            RunningStats(job, self._metrics, context.series),
        )

    async def run(self) -> JobEnd:
        self._log.write(f"{len(self._remaining)} of {len(self._plan.trials)} trials are to be run")
        self._progress.write()
        try:
            # Rule: run-job/program-ends
            async with asyncio.TaskGroup() as group:
                tasks = [group.create_task(self._run_in_turn(trial)) for trial in self._remaining]
        finally:
            self._progress.catch_up()
        # Rules: run-job/cancelled, run-job/resume-kept
        # `result()` raises if one trial alone was cancelled, which ends the job.
        trials = (*self._earlier, *(task.result().job_trial() for task in tasks))
        # Rule: run-job/overflow
        if self._overflow is not None:
            raise ExceptionGroup("a metric is beyond a double", [self._overflow])
        stats = final_stats(trials, self._metrics, self._context.series)
        document = self._progress.finish(stats)
        self._log.write("finished")
        return JobEnd(trials, stats, document)

    async def _run_in_turn(self, trial: PlannedTrial) -> TrialRecord:
        # Rule: run-job/concurrency
        async with self._seats:
            return await self._run_with_retries(self._planned(trial))

    async def _run_with_retries(self, trial: TrialPlan) -> TrialRecord:
        retry = self._plan.settings.retry
        runs = 0
        while True:
            # Rules: run-job/trials, run-job/same-name
            record = await run_trial(trial, self._context, self._report)
            # Rules: run-job/no-error-no-retry, run-job/retry-limit
            if record.failure is None or runs == retry.max_retries or not is_retried(record.failure.type, retry):
                # Rule: run-job/last-run-counts
                return record
            self._log.write(f"{trial.name} is run again after {record.failure.type}")
            # The result is removed first. If this process is killed then, a folder without a result runs again.
            (trial.folder.path / "result.json").unlink(missing_ok=True)
            # Rule: run-job/folder-anew
            shutil.rmtree(trial.folder.path, ignore_errors=True)
            # Rules: run-job/waits, run-job/longest-wait
            await asyncio.sleep(min(retry.min_wait_sec * retry.wait_multiplier**runs, retry.max_wait_sec))
            runs += 1

    def _planned(self, trial: PlannedTrial) -> TrialPlan:
        settings = self._plan.settings
        if trial.task not in self._checksums:
            self._checksums[trial.task] = task_checksum(trial.task)
        return TrialPlan(
            self._plan.tasks[trial.task],
            trial.name,
            TrialFolder(settings.folder / trial.name),
            settings,
            settings.agents[trial.agent],
            self._config(trial),
            self._checksums[trial.task],
            trial.source,
        )

    def _config(self, trial: PlannedTrial) -> Mapping[str, Tree]:
        """Return the trial's configuration. Attempts of one agent at one task share most parts, which are made once."""
        same = self._configs.get((trial.task, trial.agent))
        if same is None:
            tree = trial_config_tree(self._plan.settings, trial, job_id=str(self._progress.id), host=self._context.host)
            parts = {name: Written(text_of(tree[name])) for name in ("agent", "environment", "verifier")}
            same = self._configs[trial.task, trial.agent] = {**tree, **parts}
        return {**same, "trial_name": trial.name}

    def _report(self, moment: Moment, plan: TrialPlan, record: TrialRecord) -> None:
        if moment in ("start", "cancel", "end"):
            self._log.write(f"{plan.name}: {moment}" + (f", {record.failure.type}" if record.failure else ""))
            try:
                self._progress.on_event(Event(moment, plan.name, record.job_trial() if moment == "end" else None))
            except OverflowError as error:
                if not self._others_first:
                    raise
                self._overflow = self._overflow or error
        self._on_moment(moment, plan, record)


def is_retried(error: str, retry: RetrySettings) -> bool:
    """Return whether a trial with this error is retried. Class names must be equal; excluded ones win over included."""
    # Rules: run-job/excluded, run-job/excluded-beats-included
    if retry.exclude and error in retry.exclude:
        return False
    # Rules: run-job/included, run-job/retried
    return not retry.include or error in retry.include
