"""result.json of a job: what the trials cannot say, and the lists of names that show their order."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from parity.scorer.from_disk.files import FolderError, is_uuid, parse_object, read_text, seconds, shown, type_name

_LIMIT = 256 << 20
"""Bytes that the file may have: a million trials have half of that."""

_TIMES = "started_at", "updated_at", "finished_at"


@dataclass(frozen=True)
class JobRecord:
    """The job's result.json, as it is."""

    text: str
    identity: dict[str, str | None]
    """`id`, `started_at`, `updated_at` and `finished_at`."""

    updated: float
    """When the job last learned of a trial: seconds since 1970. Infinite where the file does not say."""

    completed: int
    """Trials that have ended; 0 where the file does not say."""

    running: int
    cancelled: int
    retries: int
    chains: tuple[tuple[str, ...], ...]
    """Names of trials in the order in which the job took them: one chain for each list in the stats."""

    @property
    def finished(self) -> bool:
        return self.identity["finished_at"] is not None


def read_record(path: Path) -> JobRecord:
    """Read a job's result.json.

    Raises:
        FolderError: it cannot be read, or is no result of a job.
    """
    text = read_text(path, limit=_LIMIT)
    document = parse_object(path, text)
    identity = _identity(path, document)
    stats = document.get("stats")
    if not isinstance(stats, dict):
        raise FolderError(path, f"stats must be an object, not {type_name(stats)}")
    running, cancelled, retries = (
        _count(path, stats, field) for field in ("n_running_trials", "n_cancelled_trials", "n_retries")
    )
    completed = stats.get("n_completed_trials")
    updated = identity["updated_at"]
    last = math.inf if updated is None else seconds(updated)
    ended = completed if isinstance(completed, int) else 0
    return JobRecord(text, identity, last, ended, running, cancelled, retries, tuple(_chains(stats)))


def _identity(path: Path, document: dict[str, Any]) -> dict[str, str | None]:
    """The job's id and times: a UUID, and times or null, as Harbor writes them."""
    if not is_uuid(document.get("id")):
        raise FolderError(path, f"id must be a UUID, not {shown(document.get('id'))}")
    for field in _TIMES:
        value = document.get(field)
        if value is None and field != "started_at":
            continue
        try:
            seconds(value if isinstance(value, str) else "")
        except (ValueError, OverflowError, OSError):
            raise FolderError(path, f"{field} must be a time as Harbor writes it, not {shown(value)}") from None
    return {field: document.get(field) for field in ("id", *_TIMES)}


def _count(path: Path, stats: dict[str, Any], field: str) -> int:
    value = stats.get(field)
    if not isinstance(value, int) or isinstance(value, bool):
        raise FolderError(path, f"stats.{field} must be an integer, not {type_name(value)}")
    return value


def _chains(stats: dict[str, Any]) -> Iterator[tuple[str, ...]]:
    """Each list of names, and the first names of lists and groups that follow each other.

    Nothing where the stats are no stats.
    """
    evals = stats.get("evals")
    leader: str | None = None
    for group in evals.values() if isinstance(evals, dict) else ():
        if not isinstance(group, dict):
            continue
        rewards, exceptions = group.get("reward_stats"), group.get("exception_stats")
        tables = [_lists(table) for table in (rewards.values() if isinstance(rewards, dict) else ())]
        tables.append(_lists(exceptions))
        for lists in tables:
            yield from (names for names in lists if len(names) > 1)
            yield tuple(names[0] for names in lists)
        firsts = list(dict.fromkeys(lists[0][0] for lists in tables if lists))
        if leader is not None:
            yield from ((leader, first) for first in firsts)
        if len(firsts) == 1:  # else any of them may be the group's first trial
            leader = firsts[0]


def _lists(table: object) -> list[tuple[str, ...]]:
    lists = [_names(names) for names in table.values()] if isinstance(table, dict) else []
    return [names for names in lists if names]


def _names(value: object) -> tuple[str, ...]:
    return tuple(name for name in value if isinstance(name, str)) if isinstance(value, list) else ()
