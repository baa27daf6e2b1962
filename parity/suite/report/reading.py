"""Reads reports from JSON files, and joins the reports of one run whose parts ran on several machines.

A file that cannot be used raises a `ReportError` with a message of one line.
"""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

from parity.operations.printable import printable
from parity.operations.wire import WireError
from parity.suite.divergence import shortened
from parity.suite.findings import merged
from parity.suite.harm import Harm, worst
from parity.suite.plain import from_plain, to_plain
from parity.suite.records import (
    FORMAT,
    DivergenceRecord,
    End,
    OperationRecord,
    Report,
    RuleRecord,
    RuleVectors,
    RuleVerdict,
)
from parity.suite.verdict import NOT_BY_REFERENCE, WRONG_SHAPE, final_of, operation_verdict

_REMEDY = "write it again with: pytest --pyargs parity --report FILE.json"
_LARGEST = 256 * 1024 * 1024
_LONGEST_LINE = 400


class ReportError(Exception):
    """A report cannot be used. The message states the reason, and `remedy` what to do."""

    def __init__(self, path: Path, what: str, remedy: str = _REMEDY) -> None:
        super().__init__(f"{path}: {what}")
        self.path = path
        self.what = what
        self.remedy = remedy


def read_report(path: Path) -> Report:
    """Read the report in a file.

    Raises:
        ReportError: the file is missing, cut off, not a report, of another format, or has wrong fields.
    """
    try:
        if path.exists() and not path.is_file():
            raise ReportError(path, "not a regular file", "give the path of a report in JSON")
        if path.exists() and path.stat().st_size > _LARGEST:
            raise ReportError(path, f"not a report: larger than {_LARGEST >> 20} MiB")
        document = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ReportError(path, error.strerror or type(error).__name__, "give the path of a readable report") from None
    except UnicodeDecodeError:
        raise ReportError(path, "not a report: not UTF-8") from None
    except (ValueError, RecursionError) as error:
        raise ReportError(path, f"not JSON, or cut off: {error}") from None
    if not isinstance(document, dict) or "format" not in document:
        raise ReportError(path, "not a report", "give the path of a report in JSON")
    if document["format"] != FORMAT or type(document["format"]) is not int:
        raise ReportError(path, f"a report of format {document['format']!r:.20}, but this kit reads format {FORMAT}")
    if "final" not in document:
        raise ReportError(path, "its final record is missing, so the run did not get to its end")
    try:
        report: Report = from_plain(Report, document)
    except WireError as error:
        raise ReportError(path, f"not a report: {shortened(printable(str(error)), _LONGEST_LINE)}") from None
    return report


_DISAGREES = 1
_DECIDING: tuple[RuleVerdict, ...] = ("diverges", "declared", "agrees", "not-claimed", "not-asked")
"""Verdicts on a rule, in order of precedence. The whole run gets the first of these verdicts that any part has."""


def join(parts: Sequence[tuple[Path, Report]]) -> Report:
    """Return the report of the run that consists of these parts.

    Args:
        parts: the report of each part, with its file.

    Raises:
        ReportError: two parts are not from the same run, or both contain the same test.
    """
    _check(parts)
    reports = [report for _, report in parts]
    first = reports[0]
    rules = tuple(_rule(same) for same in zip(*(report.rules for report in reports), strict=True))
    broken = {rule.slug: rule.harm for rule in rules if rule.harm and rule.verdict == "diverges"}
    cut = any(report.final.ended == "interrupted" for report in reports)
    operations = tuple(
        _operation(
            same,
            [broken[rule.slug] for rule in rules if rule.slug in broken and rule.operation == same[0].name],
            golden_only=first.settings.golden_only,
            cut=cut,
        )
        for same in zip(*(report.operations for report in reports), strict=True)
    )
    tests = {test for report in reports for test in report.settings.tests}
    known = [report.settings.left_out for report in reports if report.settings.left_out is not None]
    left_out = tuple(sorted({test for each in known for test in each} - tests)) if known else None
    entries = [{"record": to_plain(record)} for report in reports for record in report.divergences]
    vectors = {rule.slug: (rule.vectors.divergent, rule.vectors.asked) for rule in rules}
    divergences = tuple(from_plain(DivergenceRecord, each["record"]) for each in merged(entries, vectors.__getitem__))
    codes = {report.final.exit for report in reports}
    exit_code = _DISAGREES if _DISAGREES in codes else max(codes)
    end: End = "interrupted" if cut else "finished"
    return replace(
        first,
        started_at=min((report.started_at for report in reports), key=datetime.fromisoformat),
        settings=replace(first.settings, complete=left_out == (), tests=tuple(sorted(tests)), left_out=left_out),
        operations=operations,
        rules=rules,
        divergences=divergences,
        final=final_of(operations, divergences, list(broken.values()), end=end, exit_code=exit_code),
    )


def _check(parts: Sequence[tuple[Path, Report]]) -> None:
    """Raise a ReportError if two reports are not parts of one run."""
    before, first = parts[0]
    seen: dict[str, Path] = {}
    expected = _identity(first)
    for path, report in parts:
        for name, value in _identity(report).items():
            if value != expected[name]:
                what = f"not of the same run as {before}: {name} {value}, not {expected[name]}"
                raise ReportError(path, what, "give all parts of a run the same options, and --seed N")
        for test in report.settings.tests:
            if test in seen:
                raise ReportError(path, f"has the test {test}, as {seen[test]} has", "give each part different tests")
            seen[test] = path


def _identity(report: Report) -> Mapping[str, Any]:
    """Return everything that the parts of one run must have in common, by its name in messages."""
    return {
        "harbor-parity": report.kit,
        **{f"reference {name}": value for name, value in vars(report.reference).items()},
        **{f"runner {name}": value for name, value in vars(report.runner).items()},
        "profile": report.settings.profile,
        "seed": report.settings.seed,
        "case timeout": report.settings.case_timeout,
        "hypothesis": report.settings.hypothesis,
        "reference golden": report.settings.golden_only,
        "rules": [rule.slug for rule in report.rules],
    }


def _operation(
    same: Sequence[OperationRecord], broken: Sequence[Harm], *, golden_only: bool, cut: bool
) -> OperationRecord:
    """Return the record of an operation over all parts.

    Args:
        same: the operation's record in each part.
        broken: the worst harm of each broken rule of the operation.
        golden_only: whether the run used only golden vectors.
        cut: whether a part ended early.
    """
    names = ("cases", "comparisons", "vectors", "not_claimed", "declared", "skipped", "failures")
    joined = replace(
        same[0],
        **{name: sum(getattr(each, name) for each in same) for name in names},
        unanswered=dict(sorted(_sums(each.unanswered for each in same).items())),
    )
    if not joined.claimed or joined.verdict.startswith(NOT_BY_REFERENCE):
        return joined
    if any(each.verdict == WRONG_SHAPE for each in same):
        return replace(joined, verdict=WRONG_SHAPE)
    return replace(joined, verdict=operation_verdict(joined, broken, golden_only=golden_only, cut=cut))


def _rule(same: Sequence[RuleRecord]) -> RuleRecord:
    verdict = min((each.verdict for each in same), key=_DECIDING.index)
    harms = [each.harm for each in same if each.harm and (each.verdict == "diverges") == (verdict == "diverges")]
    return replace(
        same[0],
        verdict=verdict,
        harm=worst(harms) if harms else None,
        vectors=RuleVectors(**_sums(vars(each.vectors) for each in same)),
        drawn=sum(each.drawn for each in same),
    )


def _sums(counts: Iterable[Mapping[str, int]]) -> dict[str, int]:
    """Add up each count, zeros included."""
    total: Counter[str] = Counter()
    for each in counts:
        total.update(each)
    return dict(total)
