"""The command line, `parity`: one module a subcommand.

A subcommand's module has `add_parser`, which adds its parser to the others' and names its function as `run`: from
the parsed arguments to the exit code. Usage errors exit with 2, and Ctrl-C with 130.
"""

import argparse
import os
import sys
from collections.abc import Sequence
from typing import NoReturn

from parity import __version__
from parity.command import outcome, score

_SUBCOMMANDS = (outcome, score)


class _Parser(argparse.ArgumentParser):
    """Tells usage errors in one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message}; see {self.prog} --help\n")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the subcommand that the arguments name; the exit code."""
    parser = _Parser(prog="parity", description="Score Harbor tasks exactly as harbor 0.13.1 does.")
    parser.add_argument("--version", action="version", version=f"harbor-parity {__version__}")
    subparsers = parser.add_subparsers(metavar="COMMAND", required=True)
    for subcommand in _SUBCOMMANDS:
        subcommand.add_parser(subparsers)
    arguments = parser.parse_args(argv)
    try:
        code: int = arguments.run(arguments)
        sys.stdout.flush()
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:  # whoever read the output has gone; nor may Python try again when it exits
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return code


__all__ = ["main"]
