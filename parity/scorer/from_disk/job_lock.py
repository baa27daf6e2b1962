"""lock.json: the trials that a job plans, in order."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from sys import intern
from typing import Any

from parity.scorer.from_disk.files import may_have_half_pairs, read_text
from parity.scorer.from_disk.layout import ANY_TEXT, MISFITS, TEXT, configured_agent, parse
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
LOCK = Model({"trials": items(Model({"task": _TASK, "agent": agent}, {}))}, {})

_FIRST = '\n    "trials": [\n        {\n            "task": '
_NEXT = '\n        },\n        {\n            "task": '
_END = "\n        }\n    ]\n}"
_PLANNED_TASK = re.compile(rf"""\{{
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
    written = read_text(path, limit=LOCK_LIMIT)
    try:
        return lock_of(planned_in_layout(written), single_tasks)
    except MISFITS:
        return lock_of(read_document(path, LOCK, written)["trials"], single_tasks)


def planned_in_layout(text: str) -> Iterator[dict[str, Any]]:
    """The planned trials in uniform form, without models.

    Raises:
        KeyError, ValueError, RecursionError: the text of lock.json has not Harbor's layout, or is not sure to fit.
    """
    if not text.endswith(_END) or may_have_half_pairs(text):
        raise ValueError
    head, end = text.index(_FIRST), len(text) - len(_END)
    parse(text[:head] + '"trials": []}')
    start = head + len(_FIRST)
    while start <= end:
        stop = text.find(_NEXT, start)
        stop = end if stop < 0 else stop
        if (task := _PLANNED_TASK.match(text, start)) is None:
            raise ValueError
        name, kind, source, path, git_url = task.groups()
        members = {"name": name, "type": kind, "source": source and intern(source), "path": path, "git_url": git_url}
        yield {"task": members, "agent": configured_agent(text[task.end() : stop])}
        start = stop + len(_NEXT)


def lock_of(planned: Iterable[Mapping[str, Any]], single_tasks: int) -> JobLock:
    """What is needed of planned trials in uniform form; `single_tasks` as for `read_lock`."""
    lock = JobLock()
    sources: dict[str, str] = {}
    for place, trial in enumerate(planned):
        task = trial["task"]
        # Only a package is known by its name; that of a folder is the folder's.
        named = task if task["type"] == "package" else {**task, "name": None}
        lock.planned.append(kind_of_trial(named, trial["agent"]))
        if task["source"] is not None and task["path"] is not None and place >= single_tasks:
            sources.setdefault(task["path"], task["source"])
    for task_path, source in sources.items():
        lock.sources.setdefault(str(PurePath(task_path).parent), source)
    return lock
