"""The exit codes of all subcommands. Wrong usage is argparse's 2, and Ctrl-C is 130."""

from enum import IntEnum


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


__all__ = ["ExitCode", "RunCode"]
