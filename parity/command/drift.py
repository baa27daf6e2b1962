"""`parity drift OLD NEW`: what one release of Harbor scores otherwise than another."""

import argparse
from pathlib import Path

HELP = "show what one release of Harbor scores otherwise than another"

DESCRIPTION = """\
Ask two releases of Harbor the inputs of all golden vectors, and show which rules and vectors the new one answers
otherwise, the most harmful first, each with its smallest case. What a release does not have is named, and not compared.

With --jobs or --verifier, they are asked about your own trials instead: which of them, and which metrics of the jobs,
would score otherwise. Your folders are read, never written.
"""

EPILOG = """\
A release is named by its version, such as 0.24.0, or by an interpreter that has one. The environment of a version is
made once, in the user's cache folder. Answers are compared exactly, in type and in bits; the two environments may also
have different packages, which decide some bits and texts, and are shown. How much harm a difference does is seen from
the side of the new release: it "pays out" where its score is higher, or where the old one has none or an error.

exit codes:
  0  nothing moves
  1  something moves
  2  wrong usage
  3  a release cannot be asked, or nothing moves in what can be read, but not all can: one line for each reason
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the subcommand takes."""
    parser.add_argument("old", metavar="OLD", help="a release: its version, or an interpreter that has it")
    parser.add_argument("new", metavar="NEW", help="the other release")
    parser.add_argument(
        "-k", dest="chosen", action="append", default=[], metavar="TEXT",
        help="only vectors of which the operation or the id contains this; may be repeated",
    )  # fmt: skip
    parser.add_argument(
        "--jobs", action="append", default=[], type=Path, metavar="JOB_DIR",
        help="the folder of a job of yours; may be repeated",
    )  # fmt: skip
    parser.add_argument(
        "--verifier", action="append", default=[], type=Path, metavar="DIR",
        help="a verifier's folder of yours, with reward.json or reward.txt; may be repeated",
    )  # fmt: skip
    parser.add_argument("--json", action="store_true", help="write one JSON object, with everything that moves")


def run(arguments: argparse.Namespace) -> int:
    """Show what moves; the exit code.

    Raises:
        CommandFailure: a release cannot be asked.
    """
    if arguments.chosen and (arguments.jobs or arguments.verifier):
        arguments.refuse("-k chooses golden vectors, which are not asked with --jobs or --verifier; leave it out")
    from parity.command.drift_show import show

    return show(arguments)
