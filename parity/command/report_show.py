"""Reads the reports of `parity report`, and writes text, a page, a badge or a site."""

import argparse
from pathlib import Path

from parity.command.exit_code import CommandFailure, ExitCode
from parity.command.streams import write
from parity.judging.records import Report
from parity.report.badge import badge
from parity.report.comparison import side_by_side
from parity.report.html import INDEX, page, site
from parity.report.matrix import markdown_matrix, text_matrix
from parity.report.places import to_json
from parity.report.reading import ReportError, join, read_report

_MARK = "harbor-parity report"
"""A text in all pages of a site, which identifies an earlier site."""


def show(arguments: argparse.Namespace) -> int:
    """Show the reports, and return the exit code.

    Raises:
        CommandFailure: a report cannot be read, or a file cannot be written.
    """
    reports = [(path, _read(path)) for path in arguments.reports]
    if arguments.site:
        _write_site(arguments.site, reports)
        return ExitCode.RIGHT
    if arguments.join:
        reports = [(arguments.join, _join(arguments.join, reports))]
    comparison = side_by_side(reports)
    if arguments.badge:
        _write(arguments.badge, badge(reports[0][1]))
    if arguments.output:
        _write(arguments.output, page(comparison))
    if not arguments.badge and not arguments.output:
        form = markdown_matrix if arguments.markdown else text_matrix
        write(form(comparison, every_rule=arguments.all))
    return _code(*reports[0]) if arguments.join else ExitCode.RIGHT


def _join(path: Path, parts: list[tuple[Path, Report]]) -> Report:
    """Write the report of the run that consists of these parts, and return it."""
    try:
        report = join(parts)
    except ReportError as error:
        raise CommandFailure.at(error.path, error.what, error.remedy) from None
    _write(path, to_json(report))
    return report


def _code(path: Path, report: Report) -> ExitCode:
    """Return the exit code for a joined report.

    Raises:
        CommandFailure: parts are missing, or one has no verdict.
    """
    missing, ended = report.settings.left_out, report.final.exit
    if ended == ExitCode.DIFFERS:
        return ExitCode.DIFFERS
    if ended:
        raise CommandFailure.at(path, f"no verdict: a part ended with exit code {ended}", "run this part again")
    if missing is None:
        raise CommandFailure.at(path, "no verdict: no part collected the whole suite", "split the suite with --splits")
    if missing:
        what = f"no verdict: the reports have no test {missing[0]}"
        raise CommandFailure.at(path, what, "give the reports of all parts")
    return ExitCode.RIGHT


def _write_site(folder: Path, reports: list[tuple[Path, Report]]) -> None:
    """Write the files of a site, and overwrite those of an earlier one."""
    try:
        is_new = not folder.exists() or not any(folder.iterdir())
        is_free = is_new or _MARK in (folder / INDEX).read_text(encoding="utf-8")
    except (OSError, ValueError):
        is_free = False
    if not is_free:
        raise CommandFailure.at(folder, "neither empty nor an earlier site", "name a new folder")
    files = site(reports)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        why = error.strerror or type(error).__name__
        raise CommandFailure.at(folder, why, "name a folder that can be made") from None
    for name, text in files.items():
        _write(folder / name, text)
    write(f"{folder / INDEX}\n")


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
