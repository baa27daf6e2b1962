"""`parity drift OLD NEW`: shows where two releases of Harbor score differently."""

import argparse
from pathlib import Path

HELP = "show where two releases of Harbor score differently"

DESCRIPTION = """\
Ask two releases of Harbor the inputs of all golden vectors, and show the rules and vectors that the new one answers
differently, the most harmful first, each rule with its smallest case. Operations that a release does not have are
named, and not compared.

With --jobs or --verifier, the releases are asked about your own trials instead. Both read the reward files again, and
both compute the whole job from the result.json of each trial: metrics with the trials that they count, pass@k, counts
and errors. This shows what moves, and both values of each metric. Your folders are read, never written.
"""

EPILOG = """\
A release is named by its version, such as 0.24.0, or by an interpreter that has it installed. newest is the newest
release that pip finds, and pre the newest release or pre-release. The environment of a version is made once, in the
user's cache folder. Answers are compared exactly, in type and in bits. The two
environments may have different packages, which decide some bits and texts; they are shown. The harm of a difference is
that of the new release: it "pays out" if its score is higher, or if the old one has none or an error.

exit codes:
  0  no answer differs
  1  some answer differs
  2  wrong usage
  3  a release cannot be asked; or no answer differs, but some folder cannot be read: one line for each reason
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the subcommand's arguments."""
    parser.add_argument("old", metavar="OLD", help="a release: its version, newest, pre, or an interpreter that has it")
    parser.add_argument("new", metavar="NEW", help="the other release")
    parser.add_argument(
        "-k", dest="chosen", action="append", default=[], metavar="TEXT",
        help="only vectors with this text in their operation or id; may be repeated",
    )  # fmt: skip
    parser.add_argument(
        "--jobs", action="append", default=[], type=Path, metavar="JOB_DIR",
        help="the folder of your own job; may be repeated",
    )  # fmt: skip
    parser.add_argument(
        "--verifier", action="append", default=[], type=Path, metavar="DIR",
        help="your own verifier's folder, with reward.json or reward.txt; may be repeated",
    )  # fmt: skip
    parser.add_argument("--json", action="store_true", help="write one JSON object, with all differences")


def run(arguments: argparse.Namespace) -> int:
    """Show the differences, and return the exit code.

    Raises:
        CommandFailure: a release cannot be asked.
    """
    if arguments.chosen and (arguments.jobs or arguments.verifier):
        arguments.refuse("-k chooses golden vectors, which are not asked with --jobs or --verifier; leave it out")
    from parity.command.drift_show import show

    return show(arguments)
