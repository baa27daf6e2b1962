"""The command line: `parity COMMAND`."""

import argparse
import sys
from collections.abc import Sequence

from parity.command import score


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and give its exit code."""
    parser = argparse.ArgumentParser(prog="parity", description="Scores Harbor tasks exactly as harbor==0.13.1 does.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    score.add_parser(commands)
    options = parser.parse_args(sys.argv[1:] if argv is None else argv)
    code: int = options.func(options)
    return code
