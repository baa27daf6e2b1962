"""`parity outcome JOB`: prints the BASE_BENCHMARK_RESULT line of a job's result.json."""

import argparse
import json
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from parity.command.exit_code import CommandFailure, ExitCode
from parity.command.shared_options import add_series
from parity.command.streams import say, write
from parity.scorer import outcome
from parity.scorer.job_directory.files import is_of_a_trial, kind_of_file

HELP = "print the BASE_BENCHMARK_RESULT line of a job"

DESCRIPTION = """\
Print the outcome of a Harbor job by the scoring description of result.json's consumer: one line,
BASE_BENCHMARK_RESULT= and a JSON object with reason_code, resolved, score, status and total.

A malformed result.json has an outcome too, and so has a job's directory without one: the line says so, and the exit
code is 0. The description does not ask whether a job has ended, whether its score is between 0 and 1, or which release
of Harbor wrote the file. Standard error says if the job has not ended, if the score is not between 0 and 1, or if the
file lacks fields that the line needs.
"""

EPILOG = """\
exit codes:
  0  the line was printed
  2  wrong usage
  3  the path is not a job's, it cannot be read, or the line cannot be printed: one line says why
"""

_REMEDY = "give a job's directory, or its result.json"

_STATS = ("n_completed_trials", "n_errored_trials", "evals")


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
    document = _document(path)
    if document and "trial_name" in document and "stats" not in document:
        raise CommandFailure.at(path, "the result.json of a trial", "give the job's directory, which is above it")
    try:
        fields = outcome(path, series=arguments.series)
    except ValueError:
        problem = "completed and errored trials add up to more than 4300 digits, which cannot be printed"
        raise CommandFailure.at(path, problem, "correct its counts, or give n_total_trials") from None
    write(fields["line"] + "\n")
    for note in _notes(document, fields["score"]) if document is not None else ():
        say(f"parity outcome: {path}: {note}")
    return ExitCode.RIGHT


def _result_path(job: Path) -> Path:
    """Return the path of a job's result.json, which need not exist in a job's directory.

    Raises:
        CommandFailure: the path is not a job's, or is a pipe or a device, which is never opened.
    """
    path = job
    try:
        if stat.S_ISDIR(os.stat(job).st_mode):
            path = job / "result.json"
        mode = os.stat(path).st_mode
    except PermissionError as error:
        raise CommandFailure.at(path, str(error.strerror), "make its directory searchable, with chmod u+x") from None
    except OSError as error:
        if isinstance(error, FileNotFoundError) and path != job and _is_of_a_job(job):
            return path
        raise CommandFailure.at(path, str(error.strerror), _REMEDY) from None
    if not stat.S_ISREG(mode):
        raise CommandFailure.at(path, f"not a regular file, but a {kind_of_file(mode)}", _REMEDY)
    return path


def _is_of_a_job(directory: Path) -> bool:
    names = set(os.listdir(directory))
    return not {"config.json", "lock.json"}.isdisjoint(names) and not is_of_a_trial(names)


def _document(path: Path) -> dict[str, Any] | None:
    """Return the content of a result.json; None if it is missing or malformed, because both have an outcome, too."""
    try:
        document = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return None
    return document if isinstance(document, dict) else None


def _notes(document: dict[str, Any], score: float) -> Iterator[str]:
    """Yield notes on the line: the job has not ended, the score is not between 0 and 1, or fields are missing."""
    if document.get("finished_at") is None:
        yield "the job has not ended (it has no finished_at); the line is about the trials so far"
    if not 0 <= score <= 1:
        yield f"the score {score!r} is not between 0 and 1, so resolved (score times trials) is no number of trials"
    stats = document.get("stats", {})
    lacking = [name for name in ("n_total_trials", "stats") if name not in document]
    if "stats" in document and isinstance(stats, dict):
        lacking += [f"stats.{name}" for name in _STATS if name not in stats]
    if lacking:
        yield f"of another schema than harbor 0.13.1's: it has no {', '.join(lacking)}, and the line reads no other key"
