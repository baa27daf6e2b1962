"""What faulty runners have in common that get the stats of a job wrong."""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from parity.scorer import Job, JobTrial
from parity.scorer.result_text import Members, text_of
from tests.faulty.fault import Fault

type Groups = dict[str, dict[str, Any]]


class StatsFault(Fault):
    """A runner that gets the stats of a job wrong."""

    seen_by = "test_finished_jobs"

    def reworked(self, job: Job, change: Callable[[dict[str, Any]], None]) -> str:
        """The stats with something changed in what they say."""
        stats = json.loads(
            super().job_stats(job), parse_int=_Raw, parse_float=_Raw, parse_constant=_Raw, object_pairs_hook=members
        )
        change(stats)
        return _RAW.sub(r"\1", text_of(stats, depth=1))

    def with_trials(self, job: Job, change: Callable[[JobTrial], JobTrial]) -> str:
        """The stats with every trial changed beforehand."""
        events = (replace(each, trial=change(each.trial) if each.trial else None) for each in job.events)
        return super().job_stats(replace(job, events=tuple(events), earlier=tuple(map(change, job.earlier))))


class _Raw(str):
    """A number as it is spelled, marked so that it differs from a string once it is written again."""

    def __new__(cls, text: str) -> "_Raw":
        return super().__new__(cls, f"\ue000{text}\ue001")


_RAW = re.compile('"\ue000(.*?)\ue001"')


def members(pairs: list[tuple[str, Any]]) -> Any:
    """An object; one with repeated keys as its members."""
    members = dict(pairs)
    return members if len(members) == len(pairs) else Members(pairs)


def groups(stats: dict[str, Any]) -> list[dict[str, Any]]:
    """The groups of the stats."""
    return list(stats["evals"].values())


def number(spelled: str) -> int:
    """A count as it is spelled in the stats."""
    return int(spelled.strip("\ue000\ue001"))
