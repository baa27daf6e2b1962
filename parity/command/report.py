"""`parity report`: shows the verdicts in reports, as text or as a page, and joins the reports of a split run."""

import argparse
from pathlib import Path

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
    from parity.command.report_show import show

    return show(arguments)
