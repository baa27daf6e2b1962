"""`parity serve`: a runner in Python as a program for `--runner-cmd`."""

import argparse

from parity.command.exit_code import ExitCode
from parity.command.faults import CommandFailure

HELP = "a runner in Python as a program for --runner-cmd"

DESCRIPTION = """\
Makes a program of a runner in Python, so that it can be judged from another environment than its own:

  pytest --pyargs parity --runner-cmd '/path/to/its/environment/bin/parity serve package.module:name'

Neither Harbor nor pytest is needed there: install the kit with pip install --no-deps, and tomli, pathspec
and dirhash. What the runner prints goes to standard error.
"""

EPILOG = ""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the subcommand takes."""
    parser.add_argument("runner", metavar="SPEC", help="clean-room, or package.module:name")


def run(arguments: argparse.Namespace) -> int:
    """Answer what is asked on standard input; the exit code.

    Raises:
        CommandFailure: the runner cannot be loaded or served.
    """
    from parity.runners.loading import RunnerError
    from parity.runners.pipe.serving import ServeError, serve

    try:
        serve(arguments.runner)
    except (RunnerError, ServeError) as error:
        raise CommandFailure(str(error)) from None
    return ExitCode.RIGHT
