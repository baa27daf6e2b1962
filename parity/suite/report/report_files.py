"""Checks, marks and writes the files of `--report`: JSON in ASCII, one key a line, `final` at the end.

Files that cannot be written are refused before the run. During the run, each file contains a mark instead of a report.
A killed run leaves the mark, so that the report of an earlier run is not mistaken for a report of the killed run. A run
without any test keeps the files of earlier runs.
"""

import json
import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from parity.suite.plain import to_plain
from parity.suite.records import FORMAT, Report

_UNFINISHED = f'{{"format": {FORMAT}}}\n'


def to_json(report: Report) -> str:
    """Return the report as a JSON document."""
    return json.dumps(to_plain(report), indent=1, ensure_ascii=True, allow_nan=False) + "\n"


class ReportFileError(Exception):
    """A file cannot be written. The message is one line with the reason and the remedy."""


def checked_paths(names: Iterable[str]) -> list[Path]:
    """Return the absolute paths of the files, and check that they can be written. No file is changed.

    Raises:
        ReportFileError: a file has another suffix, or cannot be written.
    """
    paths = [Path(name).absolute() for name in dict.fromkeys(names)]
    for path in paths:
        if path.suffix != ".json":
            raise ReportFileError(f"--report {path.name}: a report is written as .json; name such a file")
    for path in paths:
        try:
            is_new = not os.path.lexists(path)
            path.open("ab").close()
            if is_new:
                path.unlink()
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or str(error)
            raise ReportFileError(f"--report {path}: {why}; name a file in a directory that can be written") from None
    return paths


def mark(paths: Iterable[Path]) -> None:
    """Mark every file as belonging to an unfinished run. Errors are ignored, because `write_report` reports them."""
    for path in paths:
        with suppress(OSError):
            path.write_text(_UNFINISHED, encoding="utf-8")


def write_report(report: Report, paths: Iterable[Path]) -> list[str]:
    """Write the report to every file, and return one line for each file that cannot be written."""
    problems = []
    for path in paths:
        try:
            path.write_text(to_json(report), encoding="utf-8")
        except OSError as error:
            why = error.strerror or type(error).__name__
            problems.append(f"report: {path}: {why}; the report is not written")
    return problems
