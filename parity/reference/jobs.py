"""Real jobs of the wheel whose trials are told instead of run: their stats, as result.json has them."""

import contextlib
from collections.abc import Iterator
from pathlib import Path, PosixPath
from typing import Any

from harbor.job import Job as HarborJob
from harbor.models.job.config import DatasetConfig, JobConfig
from harbor.models.metric.config import MetricConfig
from harbor.models.trial.config import TrialConfig
from harbor.models.trial.result import TrialResult
from harbor.trial.hooks import TrialEvent, TrialHookEvent

from parity.operations.folders import scratch_folder
from parity.reference.driving import quietly, run
from parity.reference.results import CONFIG, LONG_AGO, trial_result
from parity.scorer.job import Event, Job

_EVENTS = {"start": TrialEvent.START, "end": TrialEvent.END, "cancel": TrialEvent.CANCEL}


def stats_text(job: Job) -> str:
    """Let a real job hear of the events, and cut the stats out of the result.json that it writes."""
    with scratch_folder() as folder:
        told = _ToldJob(job, folder)
        with contextlib.suppress(_Interim), quietly():
            run(told.run())
        return cut_stats((folder / "job" / "result.json").read_text(encoding="utf-8"))


def cut_stats(result: str) -> str:
    """The text of `stats` in the text of a result.json, from its `{` to its `}`."""
    return result[result.index('\n    "stats": ') + len('\n    "stats": ') : -len("\n}")]


class _Interim(Exception):
    """The events are over, but the job is not."""


class _ToldJob(HarborJob):  # type: ignore[misc]
    """A job of the wheel, all but the running of trials and the lock file."""

    def __init__(self, job: Job, folder: Path) -> None:
        self._told = job
        self._results = {id(event): trial_result(event.trial) for event in job.events if event.trial is not None}
        config = JobConfig(
            job_name="job",
            jobs_dir=folder,
            quiet=True,
            metrics=[MetricConfig(type=metric) for metric in job.metrics],
            datasets=[DatasetConfig(path=folder / name) for name in job.datasets],
        )
        self._write_earlier(config)
        super().__init__(config, _task_configs=[], _metrics=run(self._resolve_metrics(config, [])))
        self._n_retries = job.retries

    def _write_earlier(self, config: JobConfig) -> None:
        """Leave what an earlier run would have left."""
        if not self._told.earlier:
            return
        folder = config.jobs_dir / config.job_name
        folder.mkdir()
        (folder / "config.json").write_text(config.model_dump_json())
        for trial in self._told.earlier:
            home = folder / trial.name
            home.mkdir()
            (home / "config.json").write_text(CONFIG.model_dump_json())
            (home / "result.json").write_text(trial_result(trial).model_dump_json(), encoding="utf-8")

    @property
    def job_dir(self) -> Path:
        folder = _InOrder(self.config.jobs_dir / self.config.job_name)
        folder.names = [trial.name for trial in self._told.earlier]
        return folder

    def _init_logger(self) -> None:
        pass

    def _init_trial_configs(self) -> None:
        self._trial_configs = [CONFIG] * self._told.total

    def _init_remaining_trial_configs(self) -> None:
        self._remaining_trial_configs: list[TrialConfig] = []

    def _write_job_lock(self) -> None:
        pass

    def _init_job_lock(self) -> None:
        pass

    async def _write_job_result_async(self, **_: Any) -> None:
        pass  # once at the end is enough, and needs no thread

    async def _run_trials_with_queue(self, *_: Any) -> list[TrialResult]:
        for event in self._told.events:
            await self._tell(event)
        if not self._told.finished:
            self._write_job_result(exclude_trial_results=True)
            raise _Interim
        results = {id(event.trial): self._results[id(event)] for event in self._told.events if event.trial is not None}
        return [results[id(trial)] for trial in self._told.planned_results() if id(trial) in results]

    async def _tell(self, event: Event) -> None:
        kind = _EVENTS[event.kind]
        heard = TrialHookEvent.model_construct(
            event=kind,
            trial_id=event.name,
            task_name="task",
            config=CONFIG,
            timestamp=LONG_AGO,
            result=self._results.get(id(event)),
        )
        for hook in self._trial_queue._hooks[kind]:
            await hook(heard)


class _InOrder(PosixPath):
    """A folder that lists its trials in a given order; the order of a real one depends on the file system."""

    names: list[str]

    def iterdir(self) -> Iterator[Path]:  # type: ignore[override]
        return (Path(self) / name for name in self.names)
