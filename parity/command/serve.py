"""`parity serve`: runs a runner in Python as a program for `--runner-cmd`."""

import argparse

from parity.command.exit_code import CommandFailure, ExitCode

HELP = "run a runner in Python as a program for --runner-cmd"

DESCRIPTION = """\
Run a runner in Python as a program, so that the suite can judge it from another environment:

  pytest --pyargs parity --runner-cmd '/path/to/its/environment/bin/parity serve package.module:name'

The runner's environment needs neither Harbor nor pytest: install the kit there with pip install --no-deps, and dirhash,
pathspec, pydantic and tomli. The runner's output goes to standard error.
"""

EPILOG = ""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the subcommand's arguments."""
    parser.add_argument("runner", metavar="SPEC", help="clean-room, or package.module:name")


def run(arguments: argparse.Namespace) -> int:
    """Answer the questions on standard input, and return the exit code.

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
