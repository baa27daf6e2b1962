"""Records of many runs as a field: each runner by its newest record, with its earlier ones, and what is stale.

A record holds no time, so that equal runs write equal records. Its date is the last one in its path, such as
`2026-11-24/mine.json` or `mine-2026-11-24.json`, or else the day on which the file was changed.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path

from parity import __version__
from parity.judging.harm import HARMS, Harm, rules_in_words
from parity.judging.records import Report
from parity.operations.rules import RULES
from parity.reference.releases import HARBOR_VERSION

FAR = 90
"""Days behind the newest record of all, after which a record is stale."""

_DATE = re.compile(r"(?<!\d)(\d{4}-\d{2}-\d{2})(?!\d)")


@dataclass(frozen=True)
class Record:
    """A report, the file that it comes from, and its date."""

    path: Path
    report: Report
    day: date


@dataclass(frozen=True)
class Contender:
    """A runner: its newest record, and the earlier ones, the newest first."""

    newest: Record
    earlier: tuple[Record, ...]
    stale: tuple[str, ...]
    """Why the newest record says nothing of today, a few words each; empty where it does."""

    @property
    def records(self) -> tuple[Record, ...]:
        return (self.newest, *self.earlier)


@dataclass(frozen=True)
class Change:
    """What a record says otherwise than the one before it: slugs of rules."""

    worse: tuple[str, ...]
    better: tuple[str, ...]


def date_of(path: Path) -> date:
    """The date of a record.

    Raises:
        OSError: there is none in the path, and the file cannot be looked at.
    """
    for found in reversed(_DATE.findall(str(path))):
        try:
            return date.fromisoformat(found)
        except ValueError:
            continue
    return datetime.fromtimestamp(path.stat().st_mtime, UTC).date()


def field_of(records: Sequence[Record]) -> tuple[Contender, ...]:
    """The runners of all records, those that pay out in the most rules first."""
    by_name: dict[tuple[str, str | None], list[Record]] = {}
    for record in records:
        by_name.setdefault((record.report.runner.name, record.report.runner.version), []).append(record)
    last = max(record.day for record in records)
    found = []
    for each in by_name.values():
        newest, *earlier = sorted(each, key=lambda record: record.day, reverse=True)
        found.append(Contender(newest, tuple(earlier), tuple(_stale(newest, last))))
    return tuple(sorted(found, key=lambda each: [-count for count in harms(each.newest.report).values()]))


def harms(report: Report) -> dict[Harm, int]:
    """How many rules have each worst harm, declared or not; every harm, the worst first."""
    return {harm: sum(rule.harm == harm for rule in report.rules) for harm in HARMS}


def change(before: Report, after: Report) -> Change:
    """In which rules the later of two records diverges and the earlier does not, and the reverse."""
    first, second = ({rule.slug: rule.harm is not None for rule in each.rules} for each in (before, after))
    both = [slug for slug in second if slug in first]
    return Change(
        tuple(slug for slug in both if second[slug] and not first[slug]),
        tuple(slug for slug in both if first[slug] and not second[slug]),
    )


def _stale(record: Record, last: date) -> Iterator[str]:
    report = record.report
    if report.kit != __version__:
        yield f"harbor-parity {report.kit}, not {__version__}"
    if report.reference.harbor != HARBOR_VERSION:
        yield f"harbor {report.reference.harbor}, not {HARBOR_VERSION}"
    slugs = {rule.slug for rule in report.rules}
    if other := len(slugs ^ RULES.keys()):
        yield f"{rules_in_words(other)} added or removed since"
    if (days := (last - record.day).days) > FAR:
        yield f"{days} days older than the newest record"
