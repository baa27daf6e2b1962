"""Compares reports side by side: a column for each report, a row for each rule, and notes on incomparable settings."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from parity.judging.divergence import shortened
from parity.judging.harm import HARMS, rank
from parity.judging.records import Report, RuleRecord, RuleVerdict

_LONGEST_NAME = 120


@dataclass(frozen=True)
class Column:
    """One report, under a unique name."""

    name: str
    report: Report

    @property
    def short(self) -> str:
        """Return the name, with its middle cut out if it is too long for a sentence."""
        return shortened(self.name, _LONGEST_NAME)


@dataclass(frozen=True)
class RuleRow:
    """One rule, and its record in each report; None for a report without the rule."""

    rule: RuleRecord
    records: tuple[RuleRecord | None, ...]

    @property
    def rank(self) -> int:
        """Return the rank of the worst harm of any runner; the number of harms if no runner diverges."""
        return min((rank(record.harm) for record in self.records if record and record.harm), default=len(HARMS))

    @property
    def verdicts(self) -> tuple[RuleVerdict | None, ...]:
        return tuple(record.verdict if record else None for record in self.records)


@dataclass(frozen=True)
class Comparison:
    """The content of pages and matrices."""

    columns: tuple[Column, ...]
    rows: tuple[RuleRow, ...]
    notes: tuple[str, ...]
    """Sentences about differences that make reports incomparable."""

    @property
    def operations(self) -> list[str]:
        """Return all operations of all reports, in the order in which they first appear."""
        return list(dict.fromkeys(each.name for column in self.columns for each in column.report.operations))

    def rows_of(self, operation: str) -> list[RuleRow]:
        """Return the rows of one operation, the most harmful first."""
        return sorted((row for row in self.rows if row.rule.operation == operation), key=lambda row: row.rank)


def side_by_side(reports: Sequence[tuple[Path, Report]]) -> Comparison:
    """Return the comparison of reports.

    Args:
        reports: each report with the path of its file, as the user gave it.
    """
    columns = tuple(Column(name, report) for name, (_, report) in zip(_names(reports), reports, strict=True))
    return Comparison(columns, tuple(_rows(columns)), tuple(_notes(columns)))


def alone(report: Report) -> Comparison:
    """Return the comparison of a single report."""
    return side_by_side([(Path(), report)])


def _names(reports: Sequence[tuple[Path, Report]]) -> list[str]:
    """Return unique names: the runner's name, if necessary with the file's name, with its path, or with a number."""
    runners = Counter(report.runner.name for _, report in reports)
    files = Counter(path.name for path, _ in reports)
    names: list[str] = []
    for path, report in reports:
        file = path.name if files[path.name] == 1 else path
        name = f"{report.runner.name} ({file})" if runners[report.runner.name] > 1 else report.runner.name
        numbered = (f"{name} [{number}]" for number in count(2))
        names.append(name if name not in names else next(each for each in numbered if each not in names))
    return names


def _rows(columns: Sequence[Column]) -> Iterable[RuleRow]:
    known = [{rule.slug: rule for rule in column.report.rules} for column in columns]
    operations = dict.fromkeys(operation.name for column in columns for operation in column.report.operations)
    every = {slug: rule for rules in reversed(known) for slug, rule in rules.items()}
    order = {slug: place for place, slug in enumerate(dict.fromkeys(slug for rules in known for slug in rules))}
    places = {name: place for place, name in enumerate(operations)}
    in_order = sorted(every.values(), key=lambda rule: (places.get(rule.operation, len(places)), order[rule.slug]))
    return [RuleRow(rule, tuple(rules.get(rule.slug) for rules in known)) for rule in in_order]


_IDENTITIES: tuple[tuple[str, Callable[[Report], str]], ...] = (
    ("versions of harbor", lambda report: report.reference.harbor),
    ("wheels of harbor", lambda report: report.reference.wheel[:16]),
    ("interpreter series", lambda report: report.reference.series),
    ("versions of harbor-parity", lambda report: report.kit),
)


def _notes(columns: Sequence[Column]) -> Iterable[str]:
    for what, identity in _IDENTITIES:
        having: dict[str, list[str]] = {}
        for column in columns:
            having.setdefault(identity(column.report), []).append(column.short)
        if len(having) > 1:
            sides = "; ".join(f"{value}: {', '.join(names)}" for value, names in having.items())
            yield f"These runs had different {what}, so their verdicts are not about the same answers. {sides}."
    slugs = [{rule.slug for rule in column.report.rules} for column in columns]
    if lacking := set[str]().union(*slugs) - slugs[0].intersection(*slugs):
        yield f"These reports have different sets of rules: {len(lacking)} of them are not in every report."
    for column in columns:
        if len(columns) > 1 and (column.report.final.ended == "interrupted" or not column.report.settings.complete):
            how = "was interrupted" if column.report.final.ended == "interrupted" else "asked only part of the suite"
            yield f"The run of {column.short} {how}."
