"""Exit codes of the subcommands, and the failure that ends a subcommand without a result.

A failure is reported in lines of the form `parity SUBCOMMAND: PATH: what; what to do`. Other exit codes are 2 for wrong
usage, as in argparse, and 130 after Ctrl-C.
"""

from enum import IntEnum
from pathlib import Path

from parity.command.streams import say


class ExitCode(IntEnum):
    """The exit codes of a subcommand."""

    RIGHT = 0
    DIFFERS = 1
    USAGE = 2
    UNJUDGED = 3


class RunCode(IntEnum):
    """The exit codes of `parity run`.

    It also uses `ExitCode.USAGE`, and `ExitCode.UNJUDGED` if the job cannot be run.
    """

    NO_ERROR = 0
    ERRORS = 1
    INTERRUPTED = 130
    TERMINATED = 143


class CommandFailure(Exception):
    """A fault that ends a subcommand without a result, with exit code 3."""

    def __init__(self, *problems: str) -> None:
        """Make a failure with one or more problems, each a line of the form `PATH: what; what to do`."""
        super().__init__("\n".join(problems))

    @classmethod
    def at(cls, path: Path | str, what: str, remedy: str) -> "CommandFailure":
        """Return a failure with one problem, which concerns a path."""
        return cls(" ".join(f"{path}: {what}; {remedy}".split()))


def say_fault(program: str, fault: CommandFailure) -> None:
    """Write a line for each problem to standard error."""
    for line in str(fault).splitlines():
        say(f"{program}: {line}")
