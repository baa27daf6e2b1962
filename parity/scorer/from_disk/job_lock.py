"""lock.json: the trials that a job plans, in order. Read piece by piece, because it grows by a page a trial.

The file is cut where one trial ends and the next begins, which the layout that Harbor writes shows: JSON has no line
breaks inside strings. What is the same text in many trials is parsed once. A file in any other layout is parsed whole.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from typing import Any

from parity.scorer.from_disk.files import LIMIT, FolderError, open_regular, parse_object, read_text, type_name
from parity.scorer.from_disk.trial_kinds import KindsOfTexts, TrialKinds, agent_text

LOCK_LIMIT = 4 << 30
"""Bytes that lock.json may have where it has Harbor's layout: a gigabyte is a million trials."""

_CHUNK = 1 << 20
_START = '\n    "trials": [\n        {'
_NO_TRIALS = '\n    "trials": []}'
_BETWEEN = "\n        },\n        {"
_END = "\n        }\n    ]\n}"
_TASK = '\n            "task": '
_AFTER_TASK = "\n            },"


@dataclass
class JobLock:
    """What the scorer needs of lock.json."""

    planned: list[int] = field(default_factory=list)
    """The kind of each planned trial, in order."""

    sources: dict[str, str] = field(default_factory=dict)
    """Folder of tasks to the name of the dataset that they belong to."""


def read_lock(path: Path, kinds: TrialKinds, single_tasks: int) -> JobLock:
    """Read lock.json.

    Args:
        path: the file.
        kinds: numbers the kinds of trial.
        single_tasks: how many trials of an attempt come first that belong to no dataset.

    Raises:
        FolderError: the file cannot be read, or is no lock of a job.
    """
    reader = _LockReader(path, kinds, single_tasks)
    try:
        for entry in _entries(path):
            reader.add(entry)
    except RecursionError:
        raise FolderError(path, "nested too deeply") from None
    return reader.lock


class _LockReader:
    def __init__(self, path: Path, kinds: TrialKinds, single_tasks: int) -> None:
        self.lock = JobLock()
        self._path, self._kinds, self._single_tasks = path, kinds, single_tasks
        self._texts = KindsOfTexts(
            lambda others: self._agent(self._parse("{" + others + "}")),
            lambda task, agent: self._kind(self._parse(task), agent),
        )

    def add(self, entry: str | dict[str, Any]) -> None:
        """Add one planned trial: its text between the braces, or the object."""
        if isinstance(entry, str):
            end = entry.find(_AFTER_TASK)
            if end >= 0 and entry.startswith(_TASK):
                cut = end + len(_AFTER_TASK)
                self.lock.planned.append(self._texts.find(entry[len(_TASK) : cut - 1], entry[cut:]))
                return
            entry = self._parse("{" + entry + "}")
        self.lock.planned.append(self._kind(entry.get("task"), self._agent(entry)))

    def _parse(self, text: str) -> dict[str, Any]:
        return parse_object(f"{self._path}: trials.{len(self.lock.planned)}", text)

    def _agent(self, entry: dict[str, Any]) -> str:
        try:
            return agent_text(entry.get("agent"))
        except TypeError:
            raise self._no_trial() from None

    def _kind(self, task: Any, agent: str) -> int:
        try:
            kind = self._kinds.planned(task, agent)
            path, source = task.get("path"), task.get("source")
            if source is not None and path is not None and len(self.lock.planned) >= self._single_tasks:
                self.lock.sources.setdefault(str(PurePath(path).parent), source)
        except (TypeError, KeyError, AttributeError):
            raise self._no_trial() from None
        return kind

    def _no_trial(self) -> FolderError:
        problem = f"trials.{len(self.lock.planned)} must be an object with a task and an agent, both objects"
        return FolderError(self._path, problem)


def _entries(path: Path) -> Iterator[str | dict[str, Any]]:
    """The planned trials in order: texts between braces, or objects."""
    if not _is_large(path):
        text = read_text(path)
        head, start, trials = text.partition(_START)
        if start and trials.endswith(_END):
            parse_object(path, head + _NO_TRIALS)
            yield from trials.removesuffix(_END).split(_BETWEEN)
        else:
            yield from _parsed(path, text)
        return
    yield from _streamed(path)


def _is_large(path: Path) -> bool:
    try:
        return LIMIT // 4 < os.stat(path).st_size <= LOCK_LIMIT
    except OSError:
        return False


def _parsed(path: Path, text: str) -> Iterator[dict[str, Any]]:
    trials = parse_object(path, text).get("trials")
    if not isinstance(trials, list):
        raise FolderError(path, f"trials must be an array, not {type_name(trials)}")
    for entry in trials:
        if not isinstance(entry, dict):
            raise FolderError(path, f"trials must hold objects, not {type_name(entry)}")
        yield entry


def _streamed(path: Path) -> Iterator[str]:
    """The same, holding no more than a chunk."""
    descriptor, _ = open_regular(path)
    try:
        with open(descriptor, encoding="utf-8", newline="") as file:
            head, start, text = file.read(_CHUNK).partition(_START)
            if not start:
                raise FolderError(path, f"larger than {LIMIT // 4:,} bytes and not in the layout that Harbor writes")
            parse_object(path, head + _NO_TRIALS)
            while chunk := file.read(_CHUNK):
                *whole, text = (text + chunk).split(_BETWEEN)
                yield from whole
                if len(text) > LIMIT:
                    raise FolderError(path, f"a trial of more than {LIMIT:,} bytes")
    except OSError as error:
        raise FolderError(path, error.strerror or type(error).__name__) from None
    except UnicodeDecodeError as error:
        raise FolderError(path, f"not UTF-8: {error.reason}") from None
    if not text.endswith(_END):
        raise FolderError(path, "not JSON: it ends too early")
    yield from text.removesuffix(_END).split(_BETWEEN)
