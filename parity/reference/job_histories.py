"""Real jobs of the wheel with a record of what happened in them, for the answers that are given without running trials.

A record holds every event of the job's trials, what result.json said after each, and what the job ended with.
"""

import shutil
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Literal

from harbor.job import Job as HarborJob
from harbor.models.job.config import JobConfig
from harbor.models.trial.result import TrialResult
from harbor.trial.hooks import TrialEvent, TrialHookEvent

from parity.operations.answers import Answer, Fault, NotClaimed, Value
from parity.operations.files.folders import scratch_folder
from parity.operations.job_stats.job_plans import RealJobPlan
from parity.operations.scenarios.virtual_time import run_virtually
from parity.reference.jobs import cut_stats, first_error
from parity.reference.real_jobs import configuration, keep_when_killed, leave_as_killed, planned
from parity.reference.results import job_trial
from parity.scorer.job import Event, Job


@dataclass(frozen=True)
class History:
    """What happened in one run of a job, and what the job said of it."""

    job: Job
    """As `job_stats` takes it: what an earlier run left, and every event of this one."""

    written: tuple[str | None, ...]
    """For each event the stats in result.json after it; None where the event failed before they were written."""

    failed_at: int | None
    """The index of the first event that failed, which ended the job."""

    stats: str | None
    """The stats in the result.json of a job that finished."""

    error: Exception | None
    """What ended a job that did not."""

    counts_steps: bool = False
    """Whether the job has counted errors of steps, as some releases do; they are no part of what `job_stats` takes."""

    @property
    def answer(self) -> Answer:
        """What the job said of itself."""
        if self.counts_steps:
            return NotClaimed("this harbor counts errors of steps, which a case does not have")
        return Value(self.stats) if self.error is None else Fault(type(self.error).__name__)


type RealHistories = tuple[list[tuple[Job, Answer]], list[bytes]]


def run_history(folder: Path, plan: RealJobPlan, *, kill_after: int | None = None) -> History:
    """Run the job, or go on with it, and record what happens; it may fail.

    The folder is that of a job killed after so many runs have ended, where so many do end.

    Raises:
        pydantic.ValidationError: the job cannot go on, because an earlier result cannot be read.
    """
    with planned(folder, plan):
        history = run_virtually(_record(configuration(plan, folder), plan, kill_after))
    if (folder / "killed").exists():
        leave_as_killed(folder)
    return history


def killed_and_resumed(plan: RealJobPlan, ended: int) -> RealHistories:
    """Run the job; then again, kill it once so many runs have ended, and go on with it.

    Returns:
        Each run as `job_stats` takes it with the answer that it gave, and what result.json held after both jobs.
    """
    with scratch_folder() as folder:
        result = folder / "job" / "result.json"
        histories = [run_history(folder, plan)]
        written = [result.read_bytes()]
        shutil.rmtree(folder / "job")
        histories.append(run_history(folder, plan, kill_after=ended))
        with suppress(ValueError):  # a nan or an infinity is there, with which no job goes on
            histories.append(run_history(folder, plan))
        written.append(result.read_bytes())
    return [(history.job, history.answer) for history in histories], written


class _Recorded(HarborJob):  # type: ignore[misc]
    """A job of the wheel that records the events of its trials, and what it writes after each."""

    def record(self) -> None:
        """Listen before and after what the job itself does at an event."""
        self.received: dict[int, Event] = {}
        self.written: dict[int, str] = {}
        self.not_shown: list[int] = []
        self.counts_steps = any(map(_has_step_errors, self._existing_trial_results))
        self._kept: list[TrialHookEvent] = []  # so that no two have one id
        for kind, name in _KINDS.items():
            self._trial_queue._hooks[kind].insert(0, partial(self._receive, name))
            self.add_hook(kind, self._read)

    async def _receive(self, kind: Literal["start", "end", "cancel"], event: TrialHookEvent) -> None:
        self._kept.append(event)
        trial = None
        if kind == "end":
            trial = job_trial(event.result)
            self.counts_steps |= _has_step_errors(event.result)
        self.received[id(event)] = Event(
            kind, event.trial_name if hasattr(event, "trial_name") else event.trial_id, trial
        )

    async def _read(self, event: TrialHookEvent) -> None:
        self.written[id(event)] = cut_stats(self._job_result_path.read_text(encoding="utf-8"))

    def _update_metric_display(self, event: TrialHookEvent, *progress: Any) -> None:
        try:
            super()._update_metric_display(event, *progress)
        except Exception:
            self.not_shown.append(id(event))
            raise


_KINDS: dict[TrialEvent, Literal["start", "end", "cancel"]] = {
    TrialEvent.START: "start",
    TrialEvent.END: "end",
    TrialEvent.CANCEL: "cancel",
}


async def _record(config: JobConfig, plan: RealJobPlan, kill_after: int | None) -> History:
    job = await _Recorded.create(config)
    job.record()
    keep_when_killed(job, kill_after)
    retries, error, stats = job._n_retries, None, None
    try:
        await job.run()
        stats = cut_stats(job._job_result_path.read_text(encoding="utf-8"))
    except Exception as raised:
        error = first_error(raised)
    happened = Job(
        len(job),
        tuple(job.received.values()),
        plan.metrics,
        tuple(dict.fromkeys(task.dataset for task in plan.tasks if task.dataset is not None)),
        tuple(map(job_trial, job._existing_trial_results)),
        retries,
    )
    failed = [n for n, event in enumerate(job.received) if event not in job.written or event in job.not_shown]
    written = tuple(map(job.written.get, job.received))
    return History(happened, written, min(failed, default=None), stats, error, job.counts_steps)


def _has_step_errors(result: TrialResult) -> bool:
    errors = result.recorded_exceptions() if hasattr(result, "recorded_exceptions") else []
    return len(errors) > (result.exception_info is not None)
