"""`parity outcome`: prints the BASE_BENCHMARK_RESULT line of a job's result.json."""

import argparse
import os
import stat
from pathlib import Path

from parity.command.exit_code import CommandFailure, ExitCode
from parity.command.shared_options import add_series
from parity.command.streams import write
from parity.scorer import outcome
from parity.scorer.from_disk.files import kind_of_file

HELP = "print the BASE_BENCHMARK_RESULT line of a job's result.json"

DESCRIPTION = """\
Print the outcome of a Harbor job by the scoring description of result.json's consumer: one line,
BASE_BENCHMARK_RESULT= and a JSON object with reason_code, resolved, score, status and total.

An absent or malformed file has an outcome too: its line says so, and the exit code is 0.
"""

EPILOG = """\
exit codes:
  0  the line was printed
  2  wrong usage
  3  the file cannot be read (pipes and devices are not), or the line cannot be printed: one line says why
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the subcommand's arguments."""
    parser.add_argument("result", type=Path, metavar="RESULT_JSON", help="the job's result.json; it need not exist")
    add_series(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the line, and return the exit code.

    Raises:
        CommandFailure: the file cannot be read.
    """
    path: Path = arguments.result
    _refuse_pipes(path)
    try:
        line = outcome(path, series=arguments.series)["line"]
    except PermissionError as error:
        raise CommandFailure.at(path, str(error.strerror), "make its folder searchable, with chmod u+x") from None
    except OSError as error:
        raise CommandFailure.at(path, str(error.strerror), "give the path of a job's result.json") from None
    except ValueError:
        problem = "completed and errored trials add up to more than 4300 digits, which cannot be printed"
        raise CommandFailure.at(path, problem, "correct its counts, or give n_total_trials") from None
    write(line + "\n")
    return ExitCode.RIGHT


def _refuse_pipes(path: Path) -> None:
    """Refuse pipes and devices, because opening one may wait forever.

    Raises:
        CommandFailure: the path is a pipe, a device or a socket.
    """
    try:
        mode = os.stat(path).st_mode
    except (OSError, ValueError):
        return  # the outcome reports this
    if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
        raise CommandFailure.at(
            path, f"not a regular file, but a {kind_of_file(mode)}", "give the path of a job's result.json"
        )
