"""`parity report`: shows the reports of one or several runs, side by side."""

import argparse
from pathlib import Path

HELP = "show reports of runs side by side: as text, as a page, or as a site"

DESCRIPTION = """\
Show the reports that pytest --pyargs parity --report FILE.json wrote, one column for each runner.

Without options, the rules that do not agree in every report are printed, and a line for each runner. Reports of
different versions of harbor or harbor-parity, of different interpreter series, or with different rules are shown side
by side, with a note about the difference. Runners with the same name are distinguished by their files.
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
        "-o", "--output", type=Path, metavar="FILE.html", help="write a page with everything, instead of text"
    )
    parser.add_argument(
        "--badge", type=Path, metavar="FILE.svg", help="write a badge with the verdict; takes exactly one report"
    )
    parser.add_argument(
        "--site", type=Path, metavar="DIR",
        help="write a site: a page of all runners, a page of all rules, and a page for each report; the folder must be "
        "new, empty, or an earlier site",
    )  # fmt: skip
    parser.add_argument(
        "--join", type=Path, metavar="FILE.json",
        help="take the reports as parts of one run that was split over several machines, and write the report of the "
        "whole run, the same as if it had run on one; show it, too",
    )  # fmt: skip
    parser.add_argument("--markdown", action="store_true", help="print Markdown, such as for a job's summary")
    parser.add_argument("--all", action="store_true", help="show all rules, even if all runners agree")


def run(arguments: argparse.Namespace) -> int:
    """Show the reports, and return the exit code.

    Raises:
        CommandFailure: a report cannot be read, or a file cannot be written.
    """
    _check(arguments)
    from parity.command.report_show import show

    return show(arguments)


def _check(arguments: argparse.Namespace) -> None:
    if arguments.output and arguments.output.suffix != ".html":
        arguments.refuse(f"--output takes a file that ends in .html, not {arguments.output}")
    if arguments.badge and arguments.badge.suffix != ".svg":
        arguments.refuse(f"--badge takes a file that ends in .svg, not {arguments.badge}")
    if arguments.join and arguments.join.suffix != ".json":
        arguments.refuse(f"--join takes a file that ends in .json, not {arguments.join}")
    if arguments.join and (arguments.site or arguments.badge or arguments.output):
        arguments.refuse("--join takes neither --output, --badge nor --site: give these the joined report")
    if arguments.site and (arguments.output or arguments.badge):
        arguments.refuse("--site takes neither --output nor --badge")
    if arguments.markdown and (arguments.output or arguments.badge or arguments.site):
        arguments.refuse("--markdown is printed: give it without --output, --badge and --site")
    if arguments.badge and len(arguments.reports) > 1:
        arguments.refuse(f"--badge takes exactly one report, not {len(arguments.reports)}")
