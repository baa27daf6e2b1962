"""Read a job's lock.json: the planned trials, in order."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from sys import intern
from typing import Any

from parity.scorer.from_disk.files import may_have_half_pairs, read_text
from parity.scorer.from_disk.layout import ANY_TEXT, MISFITS, TEXT, CommonPart, configured_agent, parse
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
"""The most bytes of lock.json: enough for a million trials."""

_TASK = Model({"name": text, "type": one_of("local", "git", "package")}, optional(path=text, git_url=text, source=text))
LOCK = Model({"trials": items(Model({"task": _TASK, "agent": agent}, {}))}, {})

_TRIALS = '\n    "trials": ['
_END = "\n    ]\n}"
_SETTINGS = CommonPart("\n        }")
_PLANNED_TASK = re.compile(rf"""
        \{{
            "task": \{{
                "name": {TEXT},
                "type": "(local|git|package)",
                "digest": {ANY_TEXT}(?:,
                "source": {TEXT})?(?:,
                "path": {TEXT})?(?:,
                "git_url": {TEXT})?(?:,
                "git_commit_id": {ANY_TEXT})?
            \}},
            "timeout_multiplier": """)


@dataclass
class JobLock:
    """The fields of lock.json that the scorer needs."""

    planned: list[Kind] = field(default_factory=list)
    """The kind of each planned trial, in order."""

    sources: dict[str, str] = field(default_factory=dict)
    """Folder of tasks to the name of their dataset."""


def read_lock(path: Path, single_tasks: int) -> JobLock:
    """Read lock.json.

    Args:
        path: the file.
        single_tasks: number of trials in an attempt that belong to no dataset. They come first.

    Raises:
        FolderError: the file cannot be read, or is no lock of a job.
    """
    written = read_text(path, limit=LOCK_LIMIT)
    try:
        return lock_of(planned_in_layout(written), single_tasks)
    except MISFITS:
        return lock_of(planned_in_full(read_document(path, LOCK, written)), single_tasks)


def planned_in_layout(text: str) -> Iterator[Kind]:
    """Yield the kinds of planned trials from the text of lock.json, without models.

    Raises:
        KeyError, ValueError, RecursionError: the text does not have Harbor's layout, or is not sure to fit.
    """
    if not text.endswith(_END) or may_have_half_pairs(text):
        raise ValueError
    head, end = text.index(_TRIALS), len(text) - len(_END)
    parse(text[:head] + '"trials": []}')
    start = head + len(_TRIALS)
    while task := _PLANNED_TASK.match(text, start):
        name, kind, source, path, git_url = task.groups()
        settings = _SETTINGS.at(text, task.end())
        yield path, git_url, name if kind == "package" else None, source and intern(source), configured_agent(settings)
        start = task.end() + len(settings)
        if start == end:
            return
        start = text.index(",", start, start + 1) + 1
    raise ValueError


def planned_in_full(lock: Mapping[str, Any]) -> Iterator[Kind]:
    """Yield the kinds of planned trials, from lock.json in uniform form."""
    for trial in lock["trials"]:
        task = trial["task"]
        # Only a package is known by its name; that of a folder is the folder's.
        yield kind_of_trial(task if task["type"] == "package" else {**task, "name": None}, trial["agent"])


def lock_of(planned: Iterable[Kind], single_tasks: int) -> JobLock:
    """Return the lock with these kinds of planned trials; `single_tasks` is that of `read_lock`."""
    lock = JobLock([*planned])
    sources: dict[str, str] = {}
    for task_path, _, _, source, _ in lock.planned[single_tasks:]:
        if source is not None and task_path is not None:
            sources.setdefault(task_path, source)
    for task_path, source in sources.items():
        lock.sources.setdefault(str(PurePath(task_path).parent), source)
    return lock
