"""Implements `parity report`: reads the reports, joins them, and shows their verdicts or makes a page."""

import argparse
from datetime import UTC, datetime
from pathlib import Path

from parity.command.exit_code import CommandFailure, ExitCode
from parity.command.streams import say, write
from parity.suite.records import Report
from parity.suite.report.reading import ReportError, join, read_report
from parity.suite.report.report_files import to_json
from parity.suite.report.verdicts import as_markdown, as_text, newest


def show(arguments: argparse.Namespace) -> int:
    """Show the reports, and return the exit code.

    Raises:
        CommandFailure: a report cannot be read, or a file cannot be written.
    """
    try:
        reports = [(path, read_report(path)) for path in arguments.reports]
        if arguments.join:
            reports = [(arguments.join, join(reports))]
            _write(arguments.join, to_json(reports[0][1]))
    except ReportError as error:
        raise CommandFailure.at(error.path, error.what, error.remedy) from None
    if arguments.output:
        from parity.suite.report.page import page_of

        _write(arguments.output, page_of([report for _, report in reports], datetime.now(UTC)))
    if arguments.markdown:
        kept = newest([report for _, report in reports])
        for path, report in reports:
            if report not in kept:
                say(f"parity report: {path}: not in the table: another report on {report.runner.name} is newer")
        write(as_markdown(kept))
    else:
        write("\n".join(as_text(report) for _, report in reports))
    return _code(*reports[0]) if arguments.join else ExitCode.RIGHT


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


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise CommandFailure.at(path, why, "name a file in a directory that can be written") from None
