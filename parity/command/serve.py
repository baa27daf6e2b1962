"""`parity serve`: a runner in Python as a program for `--runner-cmd`."""

import argparse
from typing import Any

from parity.command.exit_code import ExitCode
from parity.command.faults import CommandFailure

_DESCRIPTION = """
Makes a program of a runner in Python, so that it can be judged from another environment than its own:

  pytest parity/ --runner-cmd '/path/to/its/environment/bin/parity serve package.module:name'

Neither Harbor nor pytest is needed there: install the kit with pip install --no-deps, and tomli, pathspec,
dirhash and rich. What the runner prints goes to standard error.
"""


def add_parser(subparsers: Any) -> None:
    """Add this subcommand to those of `parity`."""
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "serve",
        help="a runner in Python as a program for --runner-cmd",
        description=_DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("runner", metavar="SPEC", help="clean-room, or package.module:name")
    parser.set_defaults(run=_run)


def _run(arguments: argparse.Namespace) -> int:
    from parity.runners.loading import RunnerError
    from parity.runners.pipe.serving import ServeError, serve

    try:
        serve(arguments.runner)
    except (RunnerError, ServeError) as error:
        raise CommandFailure(str(error)) from None
    return ExitCode.RIGHT
