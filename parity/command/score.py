"""`parity score DIRECTORY`: checks a job's result.json against its trials, or prints a verifier's rewards."""

import argparse
import json
import os
from pathlib import Path

from parity.command.exit_code import CommandFailure, ExitCode
from parity.command.shared_options import add_series
from parity.command.streams import say, write
from parity.scorer.job_directory.files import FileError, is_of_a_trial
from parity.scorer.job_directory.verifier_files import INVALID, file_that_counts, read_rewards
from parity.scorer.series import Series

HELP = "score a job's directory or a verifier's directory"

DESCRIPTION = "Score a directory."

EPILOG = """\
DIRECTORY is a Harbor job's, with config.json, lock.json, result.json and a directory for each trial. The correct
result.json is computed from the trials, and written to standard output byte for byte as Harbor writes it. The verdict
on the present result.json, and its differences, are written to standard error. So is a line for each metric, which says
how it comes about: the trials that it counts, and those without a reward, by their errors.

No trial records id, started_at, updated_at, finished_at and stats.n_retries, so these are copied from the present
result.json. The rest follows from the trials and from their order, which decides last bits and the order of names: as
lock.json plans them, or, in a job that was resumed, first the trials of earlier runs as the directory lists them. The
time of config.json shows which. A result.json in either order is right.

result.json cannot be judged if the job has not ended, if a reward was nan or infinite (the trial's own result.json has
null in its place), or if the directory hides the order: a task's attempts were tried again, the job was resumed and
copied, or there is no lock.json. A result.json that is wrong in every order is called wrong even then, except
without a lock.json.

DIRECTORY may also be a verifier's, with reward.json or reward.txt. Its rewards are written on one line, as Python's
json module does; numbers that are not finite are written as NaN, Infinity and -Infinity, which is no JSON.

exit codes:
  0  result.json is right; the verifier's directory has rewards, or null
  1  result.json is wrong, and its differences are shown; the verifier's directory has no valid rewards
  2  wrong usage
  3  the directory cannot be read, result.json cannot be judged, or the output cannot be written: a line for each reason
"""

_REMEDY = "give the directory of a job or a verifier"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the subcommand's arguments."""
    parser.add_argument("directory", metavar="DIRECTORY", type=Path, help="a job's directory or a verifier's directory")
    parser.add_argument("--check", action="store_true", help="write only the verdict, no document and no rewards")
    parser.add_argument("--files", action="store_true", help="also compare trials' rewards with their verifiers' files")
    parser.add_argument(
        "--reference", metavar="RELEASE",
        help="compute with the code of this release: its version, newest, pre, or an interpreter that has it",
    )  # fmt: skip
    parser.add_argument("-q", "--quiet", action="store_true", help="write no verdict and no notes")
    add_series(parser)


def run(options: argparse.Namespace) -> int:
    """Score the directory, and return the exit code.

    Raises:
        CommandFailure: the directory cannot be read or judged.
    """
    if options.reference == "golden":
        options.refuse("--reference golden has answers to golden vectors, but none to a job; name a release instead")
    # This import is slow, because it builds the models of a job's files.
    from parity.command.score_job import score_job

    try:
        if _is_verifiers(options.directory):
            if options.reference:
                options.refuse("--reference is for a job's directory, not a verifier's; leave it out")
            return score_verifier(options.directory, options.series, check=options.check, quiet=options.quiet)
        return score_job(options)
    except FileError as error:
        raise CommandFailure(str(error)) from None


def _is_verifiers(directory: Path) -> bool:
    """Return whether a directory is a verifier's, rather than a job's. Only a job has a lock.json.

    Raises:
        CommandFailure: the directory is neither a verifier's nor a job's.
    """
    try:
        names = set(os.listdir(directory))
    except OSError as error:
        raise CommandFailure.at(directory, str(error.strerror), _REMEDY) from None
    if names >= {"config.json", "lock.json"}:
        return False
    if names & {"reward.json", "reward.txt"}:
        return True
    if is_of_a_trial(names):
        remedy = "score its verifier directory, or the job's directory above it"
        raise CommandFailure.at(directory, "a trial's directory", remedy)
    if names & {"config.json", "lock.json", "result.json"}:
        return False
    if directory.resolve().name == "verifier":
        return True
    problem = "neither a job's (config.json, lock.json, result.json) nor a verifier's (reward.json, reward.txt)"
    raise CommandFailure.at(directory, problem, _REMEDY)


def score_verifier(directory: Path, series: Series, *, check: bool, quiet: bool) -> int:
    """Write the rewards from a verifier's directory, and return the exit code.

    Raises:
        CommandFailure: reading the reward file that is used is not permitted.
        FileError: the reward file that is used is too large.
    """
    try:
        rewards = read_rewards(directory, series=series)
        name = file_that_counts(directory, series).name
    except PermissionError as error:
        raise CommandFailure.at(error.filename, "may not be read", "make it readable, with chmod u+r") from None
    except INVALID as error:
        if not quiet:
            why = f" ({error.__cause__})" if error.__cause__ else ""
            say(" ".join(f"{type(error).__name__}: {error}{why}".split()))
        return ExitCode.DIFFERS
    if not check:
        write(json.dumps(rewards) + "\n")
    elif not quiet:
        say(f"{name} has {'null in place of rewards' if rewards is None else 'valid rewards'}")
    return ExitCode.RIGHT
