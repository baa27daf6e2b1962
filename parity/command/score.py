"""`parity score FOLDER`: what a job's result.json should say and whether it does, or the rewards of a verifier."""

import argparse
import os
from pathlib import Path

from parity.command.faults import CommandFailure
from parity.command.score_job import score_job
from parity.command.score_verifier import score_verifier
from parity.command.series_option import add_series
from parity.scorer.from_disk.job_folder import JobFolderError

HELP = "score a job's folder or a verifier's folder"

DESCRIPTION = "Score a folder from disk."

EPILOG = """\
FOLDER is a Harbor job's folder, which holds config.json, lock.json, result.json and a folder for each trial. What
result.json should say is computed from the trials and written to standard output, byte for byte as Harbor writes it;
whether it does say so, and where not, goes to standard error.

What no trial records is taken over from the present result.json: id, started_at, updated_at, finished_at and
stats.n_retries. The rest follows from the trials and from their order, which decides last bits and the order of names:
as lock.json plans them, or, in a job that was resumed, first the trials of earlier runs as the directory lists them.
The time of config.json shows which. The document and the differences are always those of that order. Where the folder
cannot rule out another order (it was copied, or trials were tried again), a result.json in that order is not called
wrong; but if nothing else shows that order, it merely agrees with itself, and cannot be judged. Where too many orders
are possible to try all, only what differs in every one of them is wrong.

A job that has not ended is held to the interim stats that Harbor writes as it goes. If trials were tried again and it
says something else, it cannot be judged: what they gave before leaves traces.

FOLDER may also be a verifier folder, which holds reward.json or reward.txt: its rewards are written as Python's json
module does, on one line; numbers that are not finite are spelled NaN, Infinity and -Infinity, which is no JSON.

exit codes:
  0  result.json says exactly that, or what another order gives that the folder cannot rule out;
     the verifier folder has rewards, or null
  1  result.json says something else, and the differences are shown; the verifier folder has no valid rewards
  2  wrong usage
  3  the folder cannot be read or judged, or the output not written: one line for each reason;
     result.json may be right, but in an order that the folder neither shows nor rules out
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the subcommand takes."""
    parser.add_argument("folder", metavar="FOLDER", type=Path, help="a job's folder or a verifier's folder")
    parser.add_argument("--check", action="store_true", help="write no document and no rewards, only the verdict")
    parser.add_argument("--files", action="store_true", help="also hold each trial's rewards to its verifier's files")
    parser.add_argument("-q", "--quiet", action="store_true", help="write no verdict, notes and progress")
    add_series(parser)


def run(options: argparse.Namespace) -> int:
    """Score the folder and give the exit code.

    Raises:
        CommandFailure: it cannot be read or judged.
    """
    try:
        if _is_verifier_folder(options.folder):
            return score_verifier(options.folder, options.series, check=options.check, quiet=options.quiet)
        return score_job(options)
    except JobFolderError as error:
        raise CommandFailure(str(error)) from None


def _is_verifier_folder(folder: Path) -> bool:
    """Whether it is a verifier's folder, and no job's. A job has a lock.json, which nothing else has.

    Raises:
        CommandFailure: it is neither.
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
