"""`parity score FOLDER`: checks a job's result.json against its trials, or prints a verifier's rewards."""

import argparse
import json
import os
from pathlib import Path

from parity.command.exit_code import CommandFailure, ExitCode
from parity.command.shared_options import add_series
from parity.command.streams import say, write
from parity.scorer.from_disk.files import FolderError
from parity.scorer.from_disk.verifier_files import INVALID, file_that_counts, read_rewards
from parity.scorer.series import Series

HELP = "score a job's folder or a verifier's folder"

DESCRIPTION = "Score a folder from disk."

EPILOG = """\
FOLDER is a Harbor job's folder, with config.json, lock.json, result.json and a folder for each trial. The correct
result.json is computed from the trials, and written to standard output byte for byte as Harbor writes it. The verdict
on the present result.json, and its differences, are written to standard error. So is a line for each metric, which says
how it comes about: the trials that it counts, and those without a reward, by their errors.

What no trial records is taken over from the present result.json: id, started_at, updated_at, finished_at and
stats.n_retries. The rest follows from the trials and from their order, which decides last bits and the order of names:
as lock.json plans them, or, in a job that was resumed, first the trials of earlier runs as the directory lists them.
The time of config.json shows which. The document and the differences are always those of that order. Where the folder
cannot rule out another order (it was copied, or trials were tried again), a result.json in that order is not called
wrong; but if nothing else shows that order, it merely agrees with itself, and cannot be judged. Where too many orders
are possible to try all, only what differs in every one of them is wrong.

A job that has not ended is held to the interim stats that Harbor writes as it goes. If trials were tried again and it
says something else, it cannot be judged: what they gave before leaves traces.

FOLDER may also be a verifier's folder, with reward.json or reward.txt. Its rewards are written on one line, as Python's
json module does; numbers that are not finite are spelled NaN, Infinity and -Infinity, which is no JSON.

exit codes:
  0  result.json is right, in the order of the folder or in another one that the folder cannot rule out;
     the verifier's folder has rewards, or null
  1  result.json is wrong, and its differences are shown; the verifier's folder has no valid rewards
  2  wrong usage
  3  the folder cannot be read or judged, or the output not written: one line for each reason;
     result.json may be right, but in an order that the folder neither shows nor rules out
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the subcommand's arguments."""
    parser.add_argument("folder", metavar="FOLDER", type=Path, help="a job's folder or a verifier's folder")
    parser.add_argument("--check", action="store_true", help="write only the verdict, no document and no rewards")
    parser.add_argument("--files", action="store_true", help="also compare trials' rewards with their verifiers' files")
    parser.add_argument(
        "--reference", metavar="RELEASE",
        help="compute with the code of this release: its version, newest, pre, or an interpreter that has it",
    )  # fmt: skip
    parser.add_argument("-q", "--quiet", action="store_true", help="write no verdict, no notes and no progress")
    add_series(parser)


def run(options: argparse.Namespace) -> int:
    """Score the folder, and return the exit code.

    Raises:
        CommandFailure: the folder cannot be read or judged.
    """
    # Their import is slow, because they need the models of a job's files.
    from parity.command.score_job import score_job
    from parity.scorer.from_disk.job_folder import JobFolderError

    try:
        if _is_verifier_folder(options.folder):
            if options.reference:
                options.refuse("--reference is for a job's folder, not a verifier's; leave it out")
            return score_verifier(options.folder, options.series, check=options.check, quiet=options.quiet)
        return score_job(options)
    except JobFolderError as error:
        raise CommandFailure(str(error)) from None


def _is_verifier_folder(folder: Path) -> bool:
    """Return whether a folder is a verifier's, and not a job's. Only a job has a lock.json.

    Raises:
        CommandFailure: the folder is neither.
    """
    try:
        names = set(os.listdir(folder))
    except OSError as error:
        raise CommandFailure.at(folder, str(error.strerror), "give the folder of a job or a verifier") from None
    if names >= {"config.json", "lock.json"}:
        return False
    if names & {"reward.json", "reward.txt"}:
        return True
    if names & {"trial.log", "verifier"}:
        raise CommandFailure.at(folder, "a trial's folder", "score its verifier folder, or the job's folder above it")
    if names & {"config.json", "lock.json", "result.json"}:
        return False
    if folder.resolve().name == "verifier":
        return True
    what = "neither a job's folder (config.json, lock.json, result.json) nor a verifier's (reward.json, reward.txt)"
    raise CommandFailure.at(folder, what, "give the folder of a job or a verifier")


def score_verifier(folder: Path, series: Series, *, check: bool, quiet: bool) -> int:
    """Write the rewards, and return the exit code.

    Raises:
        CommandFailure: the file that counts may not be read, or is too large.
    """
    try:
        rewards = read_rewards(folder, series=series)
        name = file_that_counts(folder, series).name
    except FolderError as error:
        raise CommandFailure(str(error)) from None
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
