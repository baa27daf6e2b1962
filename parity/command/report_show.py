"""Reads the reports that `parity report` is given, and writes what it is asked for."""

import argparse
from collections.abc import Callable
from pathlib import Path

from parity.command.exit_code import ExitCode
from parity.command.faults import CommandFailure
from parity.command.streams import write
from parity.judging.records import Report
from parity.report.badge import badge
from parity.report.comparison import Comparison, side_by_side
from parity.report.html import page
from parity.report.matrix import text_matrix
from parity.report.picture import picture
from parity.report.reading import ReportError, read_report


def show(arguments: argparse.Namespace) -> int:
    """Show the reports; the exit code.

    Raises:
        CommandFailure: one cannot be read, or something not be written.
    """
    reports = [(path, _read(path)) for path in arguments.reports]
    comparison = side_by_side(reports)
    if arguments.badge:
        _write(arguments.badge, badge(reports[0][1]))
    if arguments.output:
        _write(arguments.output, _FORMS[arguments.output.suffix](comparison, arguments.all))
    if not arguments.badge and not arguments.output:
        write(text_matrix(comparison, every_rule=arguments.all))
    return ExitCode.RIGHT


_FORMS: dict[str, Callable[[Comparison, bool], str]] = {
    ".html": lambda comparison, every: page(comparison),
    ".svg": lambda comparison, every: picture(comparison, every_rule=every),
}


def _read(path: Path) -> Report:
    try:
        return read_report(path)
    except ReportError as error:
        raise CommandFailure.at(error.path, error.what, error.remedy) from None


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise CommandFailure.at(path, why, "name a file in a folder that can be written") from None
