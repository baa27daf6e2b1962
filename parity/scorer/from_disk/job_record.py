"""result.json of a job: what the trials cannot say, and the lists of names that show their order."""

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
"""Bytes that the file may have: a million trials have half of that."""

_STATS = Model(
    dict.fromkeys(("n_running_trials", "n_cancelled_trials", "n_retries"), whole),
    {"n_completed_trials": (whole, 0)},
)
_RECORD = Model({"id": identifier, "started_at": time, "stats": _STATS}, optional(updated_at=time, finished_at=time))


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

    @property
    def finished(self) -> bool:
        return self.identity["finished_at"] is not None

    @cached_property
    def listed(self) -> Listed:
        """Under which reward it lists each trial."""
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

        Each list of names, and the first names of lists and groups that follow each other.
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
        """Those of all trials that it lists."""
        return frozenset(name for chain in self.chains for name in chain)

    @cached_property
    def _groups(self) -> list[object]:
        """Those of the stats, repeated keys included; nothing where the stats are no stats."""
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
    """The lists of names in a table, without those that are empty."""
    for key, value in _members(table):
        names = tuple(name for name in value if isinstance(name, str)) if isinstance(value, list) else ()
        if names:
            yield key, names
