"""What faulty runners have in common that get the stats of a job wrong."""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from typing import Any

from parity.runners import CleanRoom
from parity.scorer import Job, JobTrial
from parity.scorer.result_text import Members, text_of
from tests.faulty.fault import Answer

type Stats = dict[str, Any]
"""The stats of a job, or of one group of its trials."""


def in_stats(change: Callable[[Stats, Job], None]) -> Answer:
    """The stats with something changed in what they say; numbers are as they are spelled, see `number`."""

    @wraps(change)
    def job_stats(right: CleanRoom, job: Job) -> str:
        text = right.job_stats(job)
        stats = json.loads(text, parse_int=_Raw, parse_float=_Raw, parse_constant=_Raw, object_pairs_hook=_members)
        change(stats, job)
        return _RAW.sub(r"\1", text_of(stats, depth=1))

    return job_stats


def each_group(change: Callable[[Stats, Job], None]) -> Answer:
    """The stats with something changed in what they say of each group."""

    @in_stats
    @wraps(change)
    def changed(stats: Stats, job: Job) -> None:
        for group in stats["evals"].values():
            change(group, job)

    return changed


def each_trial(change: Callable[[JobTrial], JobTrial]) -> Answer:
    """The stats with every trial changed beforehand."""

    @wraps(change)
    def job_stats(right: CleanRoom, job: Job) -> str:
        events = (replace(each, trial=change(each.trial) if each.trial else None) for each in job.events)
        return right.job_stats(replace(job, events=tuple(events), earlier=tuple(map(change, job.earlier))))

    return job_stats


class _Raw(str):
    """A number as it is spelled, marked so that it differs from a string once it is written again."""

    def __new__(cls, text: str) -> "_Raw":
        return super().__new__(cls, f"\ue000{text}\ue001")


_RAW = re.compile('"\ue000(.*?)\ue001"')


def _members(pairs: list[tuple[str, Any]]) -> Any:
    """An object; one with repeated keys as its members."""
    members = dict(pairs)
    return members if len(members) == len(pairs) else Members(pairs)


def number(spelled: str) -> int:
    """A count as it is spelled in the stats."""
    return int(spelled.strip("\ue000\ue001"))
