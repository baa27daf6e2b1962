"""Read a job's lock.json: the planned trials, in order."""

from dataclasses import dataclass, field
from pathlib import Path, PurePath
from typing import Annotated, Any, Literal, cast

from pydantic import AfterValidator

from parity.formats.document import Document
from parity.scorer.from_disk.documents import read_document
from parity.scorer.from_disk.trial_file import Kind, agent_text

LOCK_LIMIT = 1 << 30
"""The most bytes of lock.json: enough for a million trials."""


class _LockedTask(Document):
    name: str
    type: Literal["local", "git", "package"]
    path: str | None = None
    git_url: str | None = None
    source: str | None = None


class _LockedTrial(Document):
    task: _LockedTask
    agent: dict[str, Any]


def _kind(trial: _LockedTrial) -> Kind:
    task = trial.task
    # Only a package is identified by its name; a task in a folder, by the folder.
    name = task.name if task.type == "package" else None
    return task.path, task.git_url, name, task.source, agent_text(trial.agent)


class _Lock(Document):
    # Each trial becomes a kind as soon as it is read, so only one is in memory.
    trials: list[Annotated[_LockedTrial, AfterValidator(_kind)]]


@dataclass
class JobLock:
    """The fields of lock.json that the scorer needs."""

    planned: list[Kind] = field(default_factory=list)
    """The kind of each planned trial, in order."""

    sources: dict[str, str] = field(default_factory=dict)
    """The dataset name of each folder of tasks."""


def read_lock(path: Path, single_tasks: int) -> JobLock:
    """Read lock.json.

    Args:
        path: the file.
        single_tasks: number of trials in an attempt that belong to no dataset. They come first.

    Raises:
        FolderError: the file cannot be read, or is not a lock of a job.
    """
    lock = JobLock(cast("list[Kind]", read_document(path, _Lock, limit=LOCK_LIMIT).trials))
    sources: dict[str, str] = {}
    for task_path, _, _, source, _ in lock.planned[single_tasks:]:
        if source is not None and task_path is not None:
            sources.setdefault(task_path, source)
    for task_path, source in sources.items():
        lock.sources.setdefault(str(PurePath(task_path).parent), source)
    return lock
