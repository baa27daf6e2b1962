"""Read a job's present result.json: the values that no trial records, and its lists of names, which show an order."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from pathlib import Path
from uuid import UUID

from parity.formats.document import Document
from parity.scorer.from_disk.differences import parse
from parity.scorer.from_disk.documents import document_of
from parity.scorer.from_disk.files import read_text
from parity.scorer.from_disk.lost_rewards import Listed
from parity.scorer.from_disk.trial_file import seconds
from parity.scorer.result_text import Members

RECORD_LIMIT = 256 << 20
"""The most bytes of the file: twice the size for a million trials."""


class _Stats(Document):
    n_running_trials: int
    n_cancelled_trials: int
    n_retries: int
    n_completed_trials: int = 0


class _Record(Document):
    id: UUID
    started_at: datetime
    updated_at: datetime | None = None
    finished_at: datetime | None = None
    stats: _Stats


@dataclass(frozen=True)
class JobRecord:
    """A job's present result.json."""

    text: str
    identity: dict[str, str | None]
    """`id`, `started_at`, `updated_at` and `finished_at`."""

    updated: float
    """Time of the last trial event that the job recorded, in seconds since 1970. Infinite if the file has no time."""

    completed: int
    """Trials that have ended; 0 if the file has no number."""

    running: int
    cancelled: int
    retries: int

    @property
    def finished(self) -> bool:
        return self.identity["finished_at"] is not None

    @cached_property
    def listed(self) -> Listed:
        """Return, by reward key and trial name, the reward that lists the trial, and the length of that list."""
        return {
            (key, name): (value, len(names))
            for group in self._groups
            for key, rewards in _members(_member(group, "reward_stats"))
            for value, names in _names(rewards)
            for name in names
        }

    @cached_property
    def names(self) -> frozenset[str]:
        """Return the names of all trials that the file lists."""
        tables = [
            table
            for group in self._groups
            for table in [*dict(_members(_member(group, "reward_stats"))).values(), _member(group, "exception_stats")]
        ]
        return frozenset(name for table in tables for _, names in _names(table) for name in names)

    @cached_property
    def _groups(self) -> list[object]:
        """Return the groups of the stats, repeated keys included; empty if the stats are malformed."""
        return [group for _, group in _members(_member(_member(parse(self.text), "stats"), "evals"))]


def read_record(path: Path) -> JobRecord:
    """Read a job's result.json.

    Raises:
        FolderError: the file cannot be read, or is not a job's result.
    """
    written = read_text(path, limit=RECORD_LIMIT)
    record = document_of(path, _Record, written.encode())
    stats = record.stats
    return JobRecord(
        written,
        record.model_dump(mode="json", exclude={"stats"}),
        math.inf if record.updated_at is None else seconds(record.updated_at),
        stats.n_completed_trials,
        stats.n_running_trials,
        stats.n_cancelled_trials,
        stats.n_retries,
    )


def _members(tree: object) -> Sequence[tuple[str, object]]:
    return tree.pairs if isinstance(tree, Members) else ()


def _member(tree: object, name: str) -> object:
    return dict(_members(tree)).get(name)


def _names(table: object) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the lists of names in a table, without empty ones."""
    for key, value in _members(table):
        names = tuple(name for name in value if isinstance(name, str)) if isinstance(value, list) else ()
        if names:
            yield key, names
