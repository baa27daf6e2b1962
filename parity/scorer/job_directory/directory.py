"""Read a job's directory: its config.json, lock.json and result.json, and the result.json of each trial."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Annotated
from uuid import UUID

from pydantic import BeforeValidator, Field

from parity.formats.configuration import JobConfiguration
from parity.formats.document import Document
from parity.formats.lock import LockedJob, LockedTrial
from parity.scorer.job_directory.documents import JOB_LIMIT, document_of, read_document
from parity.scorer.job_directory.files import FileError, read_text
from parity.scorer.job_directory.trial_file import TaskAndAgent, TrialFile, read_trial, task_and_agent
from parity.scorer.job_stats import metrics_of_datasets

_SHOWN = 10


class JobDirectoryError(FileError):
    """A job's directory cannot be read. The message has one line for each problem, at most ten lines."""

    def __init__(self, problems: list[str]) -> None:
        more = [f"and {len(problems) - _SHOWN:,} more like these"] if len(problems) > _SHOWN else []
        Exception.__init__(self, "\n".join(problems[:_SHOWN] + more))


class _Stats(Document):
    n_retries: int = 0  # releases of Harbor before 0.6.6 do not write this


def _object_or_nothing(stats: object) -> object:
    """Replace anything but an object with an empty one, as Harbor does when it reads a job's result.json."""
    return stats if isinstance(stats, dict) else {}


class StoredJob(Document):
    """The fields of a job's existing result.json that cannot be computed from other files."""

    id: UUID
    started_at: datetime
    updated_at: datetime | None = None
    finished_at: datetime | None = None
    n_total_trials: int
    stats: Annotated[_Stats, BeforeValidator(_object_or_nothing)] = Field(default_factory=_Stats)

    @property
    def is_before_locks(self) -> bool:
        """Whether a release before 0.6.6 wrote the file. Those write no lock.json."""
        return "n_retries" not in self.stats.model_fields_set

    @property
    def identity(self) -> dict[str, str | None]:
        """`id`, `started_at`, `updated_at` and `finished_at`, as Harbor writes them."""
        identity: dict[str, str | None] = self.model_dump(mode="json", exclude={"n_total_trials", "stats"})
        return identity


@dataclass(frozen=True)
class JobDirectory:
    """A job, read from its directory."""

    path: Path
    config: JobConfiguration
    configured: float
    """When config.json was last written, in seconds since 1970. Every run writes this file before its first trial."""

    lock: LockedJob | None
    """The job's lock.json; None if it is missing. Releases of Harbor before 0.6.6 write none."""

    text: str
    """The text of the existing result.json."""

    stored: StoredJob
    trials: list[TrialFile] = field(default_factory=list)
    """The trials that have ended, in the order in which the directory lists them."""

    others: list[str] = field(default_factory=list)
    """Names of subdirectories that contain no trial's result.json."""

    @property
    def metrics(self) -> Mapping[str, list[str]]:
        """The metrics of each dataset, without metrics from a registry, because the directory does not record them."""
        return metrics_of_datasets([metric.type for metric in self.config.metrics], self.datasets)

    @property
    def datasets(self) -> list[str]:
        """The datasets' names, as trials record them: for a path, the last component of the resolved path."""
        single_tasks = {task.path for task in self.config.tasks}
        # lock.json has the names as they were resolved on the machine that ran the job.
        sources = {
            path.parent: trial.task.source
            for trial in (self.lock.trials if self.lock else ())
            if (path := trial.task.path) is not None and path not in single_tasks
        }
        return [
            str(dataset.name) if dataset.path is None else sources.get(dataset.path) or _last_part(dataset.path)
            for dataset in self.config.datasets
        ]

    @property
    def total(self) -> int:
        """The number of planned trials."""
        return self.stored.n_total_trials if self.lock is None else len(self.lock.trials)

    @cached_property
    def planned(self) -> list[TaskAndAgent]:
        """Task and agent of each planned trial, in planned order; empty if there is no lock.json."""
        return [_task_and_agent(trial) for trial in (self.lock.trials if self.lock else ())]


def read_job(path: Path) -> JobDirectory:
    """Read a job's directory.

    Raises:
        JobDirectoryError: the path is not a job's directory, or a file in it cannot be read.
    """
    try:
        job = _read_files(path)
        with os.scandir(path) as entries:  # in the directory's own order; includes symlinks to directories
            names = [entry.name for entry in entries if entry.is_dir()]
    except FileError as error:
        raise JobDirectoryError([str(error)]) from None
    except OSError as error:
        raise JobDirectoryError([f"{path}: {error.strerror}; give the directory of a job"]) from None
    problems: list[str] = []
    for name in names:
        if not os.path.lexists(path / name / "result.json"):
            job.others.append(name)
            continue
        try:
            job.trials.append(read_trial(path / name))
        except FileError as error:
            problems.append(str(error))
    if problems:
        raise JobDirectoryError(problems)
    return job


def _read_files(path: Path) -> JobDirectory:
    config = read_document(path / "config.json", JobConfiguration)
    _check_metrics(path / "config.json", config)
    lock = path / "lock.json"
    locked = read_document(lock, LockedJob, limit=JOB_LIMIT) if os.path.lexists(lock) else None
    text = read_text(path / "result.json", limit=JOB_LIMIT)
    stored = document_of(path / "result.json", StoredJob, text.encode())
    return JobDirectory(path, config, (path / "config.json").stat().st_mtime, locked, text, stored)


def _check_metrics(path: Path, config: JobConfiguration) -> None:
    for place, metric in enumerate(config.metrics):
        if metric.type == "uv-script":
            problem = f"metrics[{place}] is a uv-script, a program that only Harbor runs"
            raise FileError(path, problem, "score this job with Harbor")
        if metric.kwargs:
            options = ", ".join(metric.kwargs)
            raise FileError(path, f"metrics[{place}].kwargs has {options}, but {metric.type} takes no options")


def _last_part(path: Path) -> str:
    try:
        return path.expanduser().resolve().name
    except (RuntimeError, ValueError, OSError):  # an unknown user after `~`, a NUL character, or symlinks in a circle
        return path.name


def _task_and_agent(trial: LockedTrial) -> TaskAndAgent:
    package = trial.task.name if trial.task.type == "package" else None
    return task_and_agent(trial.task, package, trial.agent)
