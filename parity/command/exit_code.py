"""The exit codes of all subcommands. Wrong usage is argparse's own 2, and Ctrl-C 130."""

from enum import IntEnum


class ExitCode(IntEnum):
    """What a subcommand's end means."""

    RIGHT = 0
    DIFFERS = 1
    USAGE = 2
    UNJUDGED = 3


class RunCode(IntEnum):
    """What the end of `parity run` means, beside wrong usage; what it cannot run is `ExitCode.UNJUDGED`."""

    NO_ERROR = 0
    ERRORS = 1
    INTERRUPTED = 130
    TERMINATED = 143


__all__ = ["ExitCode", "RunCode"]
