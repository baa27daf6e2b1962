"""The command line, `parity`, with one module for each subcommand.

A subcommand's module has strings for help texts (`HELP` for `parity --help`; `DESCRIPTION` and `EPILOG` for its own),
`add_arguments`, and `run`, which returns the exit code for the parsed arguments. Where argparse cannot check an
argument, the module calls `arguments.refuse` for a usage error. The exit code is 2 for a usage error, 3 for a fault,
and 130 after Ctrl-C.
"""

import argparse
import sys
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, NoReturn

from parity import __version__
from parity.command import diff, explain, outcome, report, run, score, serve
from parity.command.exit_code import CommandFailure, ExitCode, say_fault
from parity.command.streams import drop, open_missing_streams, say, write
from parity.driver.interrupts import INTERRUPTED

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

SUBCOMMANDS = {
    module.__name__.rpartition(".")[-1].replace("_", "-"): module
    for module in (diff, explain, outcome, report, run, score, serve)
}
"""The module of each subcommand, by the subcommand's name."""

_DESCRIPTION = (
    "Run and score Harbor tasks exactly as harbor 0.13.1 does, and look at other runners. "
    "Whether a runner scores as Harbor does is decided by: pytest --pyargs parity --runner package.module:name"
)


class _Parser(argparse.ArgumentParser):
    """A parser that reports usage errors in one line, and raises OSError if the help cannot be written."""

    def _print_message(self, message: str, file: "SupportsWrite[str] | None" = None) -> None:
        if file is sys.stderr:
            say(message.removesuffix("\n"))
        else:
            write(message)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Refuse unknown arguments in the subcommand's parser, so that the message contains the subcommand's name."""
        known, unknown = super().parse_known_args(args, namespace)
        if unknown:
            self.error(f"unrecognized arguments: {' '.join(unknown)}")
        return known, unknown

    def error(self, message: str) -> NoReturn:
        self.exit(ExitCode.USAGE, f"{self.prog}: {message}; see {self.prog} --help\n")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the subcommand that the command line names, and return the exit code."""
    open_missing_streams()
    try:
        arguments = _parser().parse_args(argv)
        arguments.line = [*(sys.argv[1:] if argv is None else argv)]
    except OSError as error:  # the help cannot be written
        _say_os_error("parity", error)
        return ExitCode.UNJUDGED
    try:
        return _run(arguments)
    except KeyboardInterrupt:
        return INTERRUPTED


@cache
def _parser() -> _Parser:
    """Return the parser. It is cached, because building it is slow and a process may run several commands."""
    parser = _Parser(prog="parity", description=_DESCRIPTION)
    parser.add_argument("--version", action="version", version=f"harbor-parity {__version__}")
    subparsers = parser.add_subparsers(metavar="COMMAND", required=True, dest="subcommand")
    for name, subcommand in SUBCOMMANDS.items():
        own = subparsers.add_parser(
            name,
            help=subcommand.HELP,
            description=subcommand.DESCRIPTION,
            epilog=subcommand.EPILOG,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        own.set_defaults(run=subcommand.run, refuse=own.error)
        subcommand.add_arguments(own)
    return parser


def _run(arguments: argparse.Namespace) -> int:
    try:
        code: int = arguments.run(arguments)
    except CommandFailure as fault:
        say_fault(f"parity {arguments.subcommand}", fault)
    except OSError as error:
        _say_os_error(f"parity {arguments.subcommand}", error)
    else:
        return code
    return ExitCode.UNJUDGED


def _say_os_error(program: str, error: OSError) -> None:
    """Report an OSError. If it has no file name, writing to standard output failed, and further output is dropped."""
    where, remedy = error.filename, "make it readable"
    if where is None:
        where, remedy = "standard output", "redirect it elsewhere"
        drop(sys.stdout)
    say_fault(program, CommandFailure.at(where, error.strerror or type(error).__name__, remedy))


__all__ = ["main"]
