"""The command line, `parity`: one module a subcommand.

A subcommand's module has `add_parser`, which adds its parser to the others' and names its function as `run`: from
the parsed arguments to the exit code, 0 for success and 1 for a fault. Usage errors exit with 2.
"""

import argparse
from collections.abc import Sequence
from typing import NoReturn

from parity import __version__
from parity.command import outcome

_SUBCOMMANDS = (outcome,)


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
    code: int = arguments.run(arguments)
    return code


__all__ = ["main"]
