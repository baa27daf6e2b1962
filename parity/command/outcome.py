"""`parity outcome JOB`: prints the BASE_BENCHMARK_RESULT line of a job's result.json."""

import argparse
import json
import os
import stat
from pathlib import Path

from parity.command.exit_code import CommandFailure, ExitCode
from parity.command.shared_options import add_series
from parity.command.streams import write
from parity.scorer import outcome
from parity.scorer.from_disk.files import kind_of_file

HELP = "print the BASE_BENCHMARK_RESULT line of a job"

DESCRIPTION = """\
Print the outcome of a Harbor job by the scoring description of result.json's consumer: one line,
BASE_BENCHMARK_RESULT= and a JSON object with reason_code, resolved, score, status and total.

A malformed result.json has an outcome too: its line says so, and the exit code is 0.
"""

EPILOG = """\
exit codes:
  0  the line was printed
  2  wrong usage
  3  there is no result.json of a job, it cannot be read, or the line cannot be printed: one line says why
"""

_REMEDY = "give a job's directory, or its result.json"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the subcommand's arguments."""
    parser.add_argument("job", type=Path, metavar="JOB", help="a job's directory, or its result.json")
    add_series(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the line, and return the exit code.

    Raises:
        CommandFailure: the path does not lead to a job's result.json, or the line cannot be printed.
    """
    path = _result_path(arguments.job)
    if _is_of_a_trial(path):
        raise CommandFailure.at(path, "the result.json of a trial", "give the job's directory, which is above it")
    try:
        line = outcome(path, series=arguments.series)["line"]
    except ValueError:
        problem = "completed and errored trials add up to more than 4300 digits, which cannot be printed"
        raise CommandFailure.at(path, problem, "correct its counts, or give n_total_trials") from None
    write(line + "\n")
    return ExitCode.RIGHT


def _result_path(job: Path) -> Path:
    """Return the path of a job's result.json.

    Raises:
        CommandFailure: there is no result.json, or it is a pipe or a device, which is never opened.
    """
    path = job
    try:
        if stat.S_ISDIR(os.stat(job).st_mode):
            path = job / "result.json"
        mode = os.stat(path).st_mode
    except PermissionError as error:
        raise CommandFailure.at(path, str(error.strerror), "make its directory searchable, with chmod u+x") from None
    except OSError as error:
        raise CommandFailure.at(path, str(error.strerror), _REMEDY) from None
    if not stat.S_ISREG(mode):
        raise CommandFailure.at(path, f"not a regular file, but a {kind_of_file(mode)}", _REMEDY)
    return path


def _is_of_a_trial(path: Path) -> bool:
    try:
        document = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return False  # a malformed file has an outcome, too
    return isinstance(document, dict) and "trial_name" in document and "stats" not in document
