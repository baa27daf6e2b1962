"""`parity report`: shows the verdicts in reports, as text or as a page, and joins the reports of a split run."""

import argparse
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from parity.command.exit_code import CommandFailure, ExitCode
from parity.command.streams import say, write

if TYPE_CHECKING:
    from parity.suite.records import Report

HELP = "show the verdicts in reports of runs, make a page of them, or join the reports of a run's parts"

DESCRIPTION = """\
Show the reports that pytest --pyargs parity --report FILE.json wrote: of each, the rules that do not agree, and a line
about the run.
"""

EPILOG = """\
exit codes:
  0  the reports were shown, whatever their verdicts; with --join: the runner agrees
  1  with --join: the runner does not agree
  2  wrong usage
  3  a report cannot be read, or a file cannot be written: one line says why; with --join also: there is no verdict,
     or parts are missing
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the subcommand's arguments."""
    parser.add_argument("reports", nargs="+", type=Path, metavar="REPORT_JSON", help="a report in JSON")
    parser.add_argument(
        "--join", type=Path, metavar="FILE.json",
        help="treat the reports as parts of one run that was split over several machines, and write the report of the "
        "whole run, the same as if it had run on one; show it, too",
    )  # fmt: skip
    parser.add_argument(
        "-o", "--output", type=Path, metavar="FILE.html",
        help="also write one page about all these runs, side by side: the operations, each broken rule with its worst "
        "case, and declared divergences with their reasons",
    )  # fmt: skip
    parser.add_argument(
        "--markdown", action="store_true",
        help="print one table of all runners, such as for a job's summary; a runner's newer report replaces its older",
    )  # fmt: skip


def run(arguments: argparse.Namespace) -> int:
    """Show the reports, and return the exit code.

    Raises:
        CommandFailure: a report cannot be read, or a file cannot be written.
    """
    if arguments.join and arguments.join.suffix != ".json":
        arguments.refuse(f"--join needs a file that ends in .json, not {arguments.join}")
    if arguments.output and arguments.output.suffix != ".html":
        arguments.refuse(f"-o needs a file that ends in .html, not {arguments.output}")
    from parity.suite.report.reading import ReportError, join, read_report
    from parity.suite.report.report_files import to_json
    from parity.suite.report.verdicts import as_markdown, as_text, newest

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


def _code(path: Path, report: "Report") -> ExitCode:
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
