"""lock.json: the trials that a job plans, in order."""

from dataclasses import dataclass, field
from pathlib import Path, PurePath

from parity.scorer.from_disk.layout import parse_lock
from parity.scorer.from_disk.reading import (
    Model,
    agent,
    items,
    one_of,
    optional,
    read_document,
    text,
)
from parity.scorer.from_disk.trial_file import Kind, kind_of_trial

LOCK_LIMIT = 1 << 30
"""Bytes that lock.json may have: a million trials."""

_TASK = Model({"name": text, "type": one_of("local", "git", "package")}, optional(path=text, git_url=text, source=text))
_LOCK = Model({"trials": items(Model({"task": _TASK, "agent": agent}, {}))}, {})


@dataclass
class JobLock:
    """What the scorer needs of lock.json."""

    planned: list[Kind] = field(default_factory=list)
    """The kind of each planned trial, in order."""

    sources: dict[str, str] = field(default_factory=dict)
    """Folder of tasks to the name of the dataset that they belong to."""


def read_lock(path: Path, single_tasks: int) -> JobLock:
    """Read lock.json.

    Args:
        path: the file.
        single_tasks: how many trials of an attempt come first that belong to no dataset.

    Raises:
        FolderError: the file cannot be read, or is no lock of a job.
    """
    lock = JobLock()
    sources: dict[str, str] = {}
    for place, trial in enumerate(read_document(path, _LOCK, limit=LOCK_LIMIT, parse=parse_lock)["trials"]):
        task = trial["task"]
        # Only a package is known by its name; that of a folder is the folder's.
        named = task if task["type"] == "package" else {**task, "name": None}
        lock.planned.append(kind_of_trial(named, trial["agent"]))
        if task["source"] is not None and task["path"] is not None and place >= single_tasks:
            sources.setdefault(task["path"], task["source"])
    for task_path, source in sources.items():
        lock.sources.setdefault(str(PurePath(task_path).parent), source)
    return lock
