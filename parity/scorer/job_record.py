"""result.json of a job: what the trials cannot tell, and the lists of names that show their order."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from parity.scorer.disk import FolderError, parse_object, read_text, type_name

_LIMIT = 1 << 30


@dataclass(frozen=True)
class JobRecord:
    """The job's result.json, as it is."""

    text: str
    identity: dict[str, str | None]
    """`id`, `started_at`, `updated_at` and `finished_at`."""

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
    identity = {field: document.get(field) for field in ("id", "started_at", "updated_at", "finished_at")}
    for field, value in identity.items():
        if not isinstance(value, str) and (value is not None or field in ("id", "started_at")):
            raise FolderError(path, f"{field} must be a string, not {type_name(value)}")
    stats = document.get("stats")
    if not isinstance(stats, dict):
        raise FolderError(path, f"stats must be an object, not {type_name(stats)}")
    retries = stats.get("n_retries")
    if not isinstance(retries, int) or isinstance(retries, bool):
        raise FolderError(path, f"stats.n_retries must be an integer, not {type_name(retries)}")
    return JobRecord(text, identity, retries, tuple(_chains(stats)))


def _chains(stats: dict[str, Any]) -> Iterator[tuple[str, ...]]:
    """Each list of names, and the first names of neighbouring lists; nothing where the stats are no stats."""
    evals = stats.get("evals")
    for group in evals.values() if isinstance(evals, dict) else ():
        rewards = group.get("reward_stats") if isinstance(group, dict) else None
        tables = list(rewards.values()) if isinstance(rewards, dict) else []
        if isinstance(group, dict):
            tables.append(group.get("exception_stats"))
        for table in tables:
            lists = [_names(names) for names in table.values()] if isinstance(table, dict) else []
            yield from (names for names in lists if len(names) > 1)
            yield tuple(names[0] for names in lists if names)


def _names(value: object) -> tuple[str, ...]:
    return tuple(name for name in value if isinstance(name, str)) if isinstance(value, list) else ()
