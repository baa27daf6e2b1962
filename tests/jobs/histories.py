"""Runs real jobs of the wheel and records their events.

The records check the answers that the reference gives without running trials. A record holds every event of the job's
trials, the stats in result.json after each event, and the end of the job.
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

from parity.operations.scenarios.virtual_time import run_virtually
from parity.reference.jobs import cut_stats, first_error
from parity.reference.results import job_trial
from parity.scorer.job import Event, Job
from tests.jobs.plans import RealJobPlan
from tests.jobs.runs import configuration, keep_when_killed, leave_as_killed, planned


@dataclass(frozen=True)
class History:
    """The events in one run of a job, and the stats that the job wrote."""

    job: Job
    """The case for `job_stats`: the trials from an earlier run, and every event in this run."""

    written: tuple[str | None, ...]
    """For each event, the stats in result.json after it; None if the event failed before the stats were written."""

    failed_at: int | None
    """The index of the first event that failed, which ended the job."""

    stats: str | None
    """The stats in the job's result.json, or None if the job did not finish."""

    error: Exception | None
    """The error that ended the job, or None if the job finished."""


def run_history(directory: Path, plan: RealJobPlan, *, kill_after: int | None = None) -> History:
    """Run or resume the job, and record its events; the job may fail.

    With `kill_after`, the directory is left as if the job was killed when so many runs had ended.

    Raises:
        pydantic.ValidationError: the job cannot be resumed, because an earlier result cannot be read.
    """
    with planned(directory, plan):
        history = run_virtually(_record(configuration(plan, directory), plan, kill_after))
    if (directory / "killed").exists():
        leave_as_killed(directory)
    return history


class _Recorded(HarborJob):  # type: ignore[misc]
    """A job of the wheel that records its trials' events and the stats after each event."""

    def record(self) -> None:
        """Record each event before and after the job's own hooks handle it."""
        self.received: dict[int, Event] = {}
        self.written: dict[int, str] = {}
        self.not_shown: list[int] = []
        self._kept: list[TrialHookEvent] = []  # keeps the events alive, so that each has its own id
        for kind, name in _KINDS.items():
            self._trial_queue._hooks[kind].insert(0, partial(self._receive, name))
            self.add_hook(kind, self._read)

    async def _receive(self, kind: Literal["start", "end", "cancel"], event: TrialHookEvent) -> None:
        self._kept.append(event)
        trial = job_trial(event.result) if kind == "end" else None
        self.received[id(event)] = Event(kind, event.trial_id, trial)

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
    return History(happened, written, min(failed, default=None), stats, error)
