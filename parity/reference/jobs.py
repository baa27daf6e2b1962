"""Computes the stats in result.json with the wheel's real jobs, from given events instead of running trials.

A job handles the events with only the wheel's own code, including the display. The queue that runs trials is replaced,
and the lock file and the drawing of the progress bar are left out. This changes no answer:
`tests/test_jobs_of_given_trials.py` compares it with jobs that run their trials.
"""

import asyncio
import json
import os
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path, PosixPath
from typing import Any

from harbor.job import Job as HarborJob
from harbor.models.job.config import DatasetConfig, JobConfig
from harbor.models.metric.config import MetricConfig
from harbor.models.trial.config import TrialConfig
from harbor.models.trial.result import TrialResult
from harbor.trial.hooks import TrialEvent, TrialHookEvent

from parity.operations.files.directories import scratch_directory
from parity.reference.driving import quietly, run
from parity.reference.results import CONFIG, LONG_AGO, config_of, trial_result
from parity.scorer.job import Event, Job, JobTrial

_EVENTS = {"start": TrialEvent.START, "end": TrialEvent.END, "cancel": TrialEvent.CANCEL}


type Stored = Callable[[str], str]
"""A function that returns the text of a trial's result.json from a previous run, given the trial's name."""


def stats_text(job: Job) -> str:
    """Pass the events to a real job, and return the stats in the result.json that it writes, as text.

    Raises:
        Exception: the error that ends the job.
    """
    return cut_stats(result_text(job))


def result_text(job: Job, stored: Stored | None = None) -> str:
    """Pass the events to a real job, and return the result.json that it writes.

    Args:
        job: the job.
        stored: returns the result.json of each trial from a previous run; None to make them from the job's trials.

    Raises:
        Exception: the error that ends the job.
    """
    with scratch_directory() as directory:
        reported = _ReportedJob(job, directory, stored)
        try:
            with quietly():
                _loop().run_until_complete(reported.run())
        except ExceptionGroup as group:
            error = first_error(group)
            if not isinstance(error, _Interim):
                raise error from None
        return (directory / "job" / "result.json").read_text(encoding="utf-8")


def mean_of_trial(text: str) -> dict[str, float | None] | None:
    """Return the mean that a real job writes after its only trial, which ended with this result.json.

    The job's only dataset is that of the trial, if it has one. The answer is None if the release has no metrics for
    the trial.

    Raises:
        Exception: the error that ends the job.
    """
    source = _source_of(text)
    trial = JobTrial("agent", None, source, "task", None, "trial")
    job = Job(total=1, datasets=(source,) if source else (), earlier=(trial,))
    groups = json.loads(result_text(job, lambda name: text))["stats"]["evals"].values()
    return next((metric for group in groups for metric in group["metrics"] if metric), None)


def _source_of(text: str) -> str | None:
    """Return the dataset of the trial with this result.json; None if the release refuses the text."""
    try:
        source: str | None = TrialResult.model_validate_json(text).source
    except ValueError:
        return None
    return source


def first_error(error: Exception) -> Exception:
    """Return the error that ended a job: the first one in an exception group, or the error itself."""
    return first_error(error.exceptions[0]) if isinstance(error, ExceptionGroup) else error


@cache
def _loop() -> asyncio.AbstractEventLoop:
    """Return the event loop for all jobs, because making an event loop takes longer than most jobs."""
    return asyncio.new_event_loop()


def cut_stats(result: str) -> str:
    """Cut the text of `stats` out of the text of a result.json, from `{` to `}`."""
    return result[result.index('\n    "stats": ') + len('\n    "stats": ') : -len("\n}")]


class _Interim(Exception):
    """Raised when there are no more events, but the job has not ended."""


class _ReportedJob(HarborJob):  # type: ignore[misc]
    """A job class from the wheel that neither runs trials nor writes a lock file."""

    def __init__(self, job: Job, directory: Path, stored: Stored | None) -> None:
        self._job, self._stored = job, stored
        self._earlier_names = [trial.name for trial in job.earlier]
        self._results = {id(event): trial_result(event.trial) for event in job.events if event.trial is not None}
        config = JobConfig(
            job_name="job",
            jobs_dir=directory,
            quiet=True,
            metrics=[MetricConfig(type=metric) for metric in job.metrics],
            datasets=[DatasetConfig(path=directory / name) for name in job.datasets if _is_name_of_directory(name)],
        )
        self._write_earlier(config)
        trials = [*job.earlier, *(event.trial for event in job.events if event.trial is not None)]
        tasks = [config_of(source).task for source in dict.fromkeys(trial.source for trial in trials)]
        resolved = run(self._resolve_metrics(config, tasks))
        metrics = resolved[0] if isinstance(resolved, tuple) else resolved  # some releases give the datasets, too
        for name in job.datasets:
            if stored is not None or not _is_name_of_directory(name):
                # a registry's or a package's: its own metrics are not in the job's directory
                metrics.setdefault(name, metrics["adhoc"])
        super().__init__(config, _task_configs=[], _metrics=metrics, _task_download_results={})
        self._n_retries = job.retries

    def _write_earlier(self, config: JobConfig) -> None:
        """Write the files of the previous run, if there is one."""
        if not self._job.earlier:
            return
        directory = config.jobs_dir / config.job_name
        directory.mkdir()
        (directory / "config.json").write_text(config.model_dump_json())
        for trial in self._job.earlier:
            home = directory / trial.name
            home.mkdir()
            (home / "config.json").write_text(CONFIG.model_dump_json())
            text = self._stored(trial.name) if self._stored else trial_result(trial).model_dump_json()
            (home / "result.json").write_text(text, encoding="utf-8")

    @property
    def job_dir(self) -> Path:
        directory = _InOrder(self.config.jobs_dir / self.config.job_name)
        directory.names = self._earlier_names
        return directory

    def _init_logger(self) -> None:
        pass

    def _init_trial_configs(self) -> None:
        self._trial_configs = [CONFIG] * self._job.total

    def _init_remaining_trial_configs(self) -> None:
        self._remaining_trial_configs: list[TrialConfig] = []

    def _write_job_lock(self) -> None:
        pass

    def _init_job_lock(self) -> None:
        pass

    async def _write_job_result_async(self, **_: Any) -> None:
        pass  # writing the file once at the end is enough, and needs no thread

    async def _run_trials_with_queue(self, *progress: Any) -> list[TrialResult]:
        # One coroutine replaces those of all trials, so its result is the list of their results.
        self._trial_queue.submit_batch = lambda _: [self._report_all()]
        (results,) = await super()._run_trials_with_queue(*progress)
        return list(results)

    async def _report_all(self) -> list[TrialResult]:
        for event in self._job.events:
            await self._report(event)
        if not self._job.finished:
            self._write_job_result(exclude_trial_results=True)
            raise _Interim
        results = {id(event.trial): self._results[id(event)] for event in self._job.events if event.trial is not None}
        return [results[id(trial)] for trial in _last_results(self._job) if id(trial) in results]

    async def _report(self, event: Event) -> None:
        kind = _EVENTS[event.kind]
        received = TrialHookEvent.model_construct(
            event=kind,
            trial_id=event.name,
            task_name="task",
            config=_named(config_of(event.trial.source if event.trial else None), event.name),
            timestamp=LONG_AGO,
            result=self._results.get(id(event)),
        )
        for hook in self._trial_queue._hooks[kind]:
            await hook(received)


_LONGEST_NAME = 255
"""The maximum length of a directory's name, in bytes."""


def _is_name_of_directory(name: str) -> bool:
    """Return whether a directory can have this name; only then is a local dataset called so."""
    if name in ("", ".", "..") or "/" in name or "\0" in name:
        return False
    try:
        return len(os.fsencode(name)) <= _LONGEST_NAME
    except UnicodeEncodeError:
        return False


def _last_results(job: Job) -> list[JobTrial]:
    """Return the last result of each trial: earlier trials first, then the others in the order of first events."""
    last: dict[str, JobTrial | None] = dict.fromkeys(event.name for event in job.events)
    last |= {event.name: event.trial for event in job.events if event.trial is not None}
    return [*job.earlier, *filter(None, last.values())]


def _named(config: TrialConfig, name: str) -> TrialConfig:
    """Return the configuration with the trial's name if the release reads the name there, and not from the event."""
    return config.model_copy(update={"trial_name": name}) if hasattr(TrialHookEvent, "trial_name") else config


class _InOrder(PosixPath):
    """A directory that lists its trials in a given order; the order of a real directory depends on the file system."""

    names: list[str]

    def iterdir(self) -> Iterator[Path]:  # type: ignore[override]
        return (Path(self) / name for name in self.names)
