"""The end of a subcommand: an exit code, or a failure that is reported in one line.

Each line of its message is `parity SUBCOMMAND: PATH: what; what to do`. Wrong usage is argparse's 2, and Ctrl-C is 130.
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
    """The exit codes of `parity run`, besides `ExitCode.USAGE`, and `ExitCode.UNJUDGED` for a job that cannot run."""

    NO_ERROR = 0
    ERRORS = 1
    INTERRUPTED = 130
    TERMINATED = 143


class CommandFailure(Exception):
    """A fault that ends a subcommand without an answer, with exit code 3."""

    def __init__(self, *problems: str) -> None:
        """Make a failure of one or more problems; each is a line of the form `PATH: what; what to do`."""
        super().__init__("\n".join(problems))

    @classmethod
    def at(cls, path: Path | str, what: str, remedy: str) -> "CommandFailure":
        """Return a failure with one problem of a path."""
        return cls(" ".join(f"{path}: {what}; {remedy}".split()))


def say_fault(program: str, fault: CommandFailure) -> None:
    """Write a line for each problem to standard error."""
    for line in str(fault).splitlines():
        say(f"{program}: {line}")
