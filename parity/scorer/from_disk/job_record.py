"""Read a job's present result.json: the values that no trial records, and the lists of names that show their order."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from parity.scorer.from_disk.differences import parse
from parity.scorer.from_disk.files import read_text
from parity.scorer.from_disk.lost_rewards import Listed
from parity.scorer.from_disk.reading import Model, identifier, optional, read_document, seconds, time, whole
from parity.scorer.result_text import Members

RECORD_LIMIT = 256 << 20
"""The most bytes of the file: twice the size for a million trials."""

_STATS = Model(
    dict.fromkeys(("n_running_trials", "n_cancelled_trials", "n_retries"), whole),
    {"n_completed_trials": (whole, 0)},
)
_RECORD = Model({"id": identifier, "started_at": time, "stats": _STATS}, optional(updated_at=time, finished_at=time))


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
        """Reward key and trial name to the reward that lists the trial, and the length of that list."""
        return {
            (key, name): (value, len(names))
            for group in self._groups
            for key, rewards in _members(_member(group, "reward_stats"))
            for value, names in _names(rewards)
            for name in names
        }

    @cached_property
    def chains(self) -> list[tuple[str, ...]]:
        """Names of trials in the order in which the job took them.

        A chain is a list of names, or the first names of consecutive lists or groups.
        """
        chains: list[tuple[str, ...]] = []
        leader: str | None = None
        for group in self._groups:
            firsts: dict[str, None] = {}
            rewards = [rewards for _, rewards in _members(_member(group, "reward_stats"))]
            for table in [*rewards, _member(group, "exception_stats")]:
                lists = [names for _, names in _names(table)]
                chains += [*lists, tuple(names[0] for names in lists)]
                firsts.update((names[0], None) for names in lists[:1])
            if leader is not None:
                chains += [(leader, first) for first in firsts]
            if len(firsts) == 1:  # else any of them may be the group's first trial
                (leader,) = firsts
        return chains

    @cached_property
    def names(self) -> frozenset[str]:
        """Names of all listed trials."""
        return frozenset(name for chain in self.chains for name in chain)

    @cached_property
    def _groups(self) -> list[object]:
        """The groups of the stats, repeated keys included; empty if the stats are malformed."""
        return [group for _, group in _members(_member(_member(parse(self.text), "stats"), "evals"))]


def read_record(path: Path) -> JobRecord:
    """Read a job's result.json.

    Raises:
        FolderError: it cannot be read, or is no result of a job.
    """
    written = read_text(path, limit=RECORD_LIMIT)
    record = read_document(path, _RECORD, written)
    stats, updated = record["stats"], record["updated_at"]
    return JobRecord(
        written,
        {name: record[name] for name in ("id", "started_at", "updated_at", "finished_at")},
        math.inf if updated is None else seconds(updated),
        stats["n_completed_trials"],
        stats["n_running_trials"],
        stats["n_cancelled_trials"],
        stats["n_retries"],
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
