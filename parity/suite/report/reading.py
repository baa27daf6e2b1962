"""Reads reports from JSON files, and joins the reports of one run whose parts ran on several machines.

A file that cannot be used raises a `ReportError` with a message of one line.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import reduce
from operator import or_
from pathlib import Path
from typing import Any

from parity.operations.printable import printable
from parity.operations.wire import WireError
from parity.suite.divergence import shortened
from parity.suite.plain import from_plain
from parity.suite.records import FORMAT, End, Report
from parity.suite.run import Run
from parity.suite.verdict import judged

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
        return from_plain(Report, document)
    except WireError as error:
        raise ReportError(path, f"not a report: {shortened(printable(str(error)), _LONGEST_LINE)}") from None


_DISAGREES = 1


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
    run = reduce(or_, map(run_of, reports))
    tests = {test for report in reports for test in report.settings.tests}
    left_out_tests = [report.settings.left_out for report in reports if report.settings.left_out is not None]
    left_out = tuple(sorted({test for each in left_out_tests for test in each} - tests)) if left_out_tests else None
    end: End = "interrupted" if any(report.final.ended == "interrupted" for report in reports) else "finished"
    joined = replace(
        first,
        started_at=min(
            (report.started_at for report in reports), key=lambda each: (datetime.fromisoformat(each), each)
        ),
        settings=replace(first.settings, complete=left_out == (), tests=tuple(sorted(tests)), left_out=left_out),
    )
    codes = {report.final.exit for report in reports}
    exit_code = _DISAGREES if _DISAGREES in codes else max(codes)
    return judged(joined, run.with_one_replay_a_rule(), end=end, exit_code=exit_code)


def run_of(report: Report) -> Run:
    """Return the run of a report, with its counts and divergences."""
    return Run.of(report.counts, report.divergences)


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
        "operations": [(each.name, each.claimed, each.lacking) for each in report.operations],
        "rules": [rule.slug for rule in report.rules],
    }
