"""`parity score FOLDER`: what a job's result.json should say and whether it does, or the rewards of a verifier."""

import argparse
import gc
import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from parity.scorer.errors import RewardFileEmptyError, VerifierOutputParseError
from parity.scorer.from_disk.files import LIMIT
from parity.scorer.from_disk.interim import heard_of
from parity.scorer.from_disk.job_document import Judgement, judge
from parity.scorer.from_disk.job_folder import JobFolder, JobFolderError, Watch, read_job
from parity.scorer.from_disk.job_order import unplanned
from parity.scorer.from_disk.recorded_rewards import recorded_differences
from parity.scorer.reward_file import read_reward
from parity.scorer.series import OFFICIAL, Series

SAME, DIFFERENT, UNREADABLE = 0, 1, 3

_SHOWN = 10

_HELP = """\
FOLDER is a Harbor job's folder, which holds config.json, lock.json, result.json and a folder for each trial. What
result.json should say is computed from the trials and written to standard output, byte for byte as Harbor writes it;
whether it does say so, and where not, goes to standard error.

What no trial tells is taken over from the present result.json: id, started_at, updated_at, finished_at and
stats.n_retries. The rest follows from the trials and from their order, which decides last bits and the order of names:
as lock.json plans them, or, in a job that was resumed, first the trials of earlier runs as the directory lists them.
The verdict names the order. A job that has not ended is held to the interim stats that Harbor writes as it goes.

FOLDER may also be a verifier folder, which holds reward.json or reward.txt: its rewards are written as JSON.

exit codes:
  0  result.json says exactly that; the verifier folder has rewards
  1  result.json says something else, and the differences are shown; the verifier folder has no valid rewards
  2  wrong usage
  3  the folder cannot be read or judged: one line for each reason
"""


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command to a command line."""
    parser = commands.add_parser(
        "score",
        help="score a job's folder or a verifier's folder",
        description="Score a folder from disk.",
        epilog=_HELP,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("folder", metavar="FOLDER", type=Path, help="a job's folder or a verifier's folder")
    parser.add_argument("--check", action="store_true", help="do not write the document, only say whether it is right")
    parser.add_argument("--files", action="store_true", help="also hold each trial's rewards to its verifier's files")
    parser.add_argument("-q", "--quiet", action="store_true", help="write no verdict, notes and progress")
    parser.add_argument(
        "--series",
        type=Series,
        choices=list(Series),
        default=OFFICIAL,
        metavar="{3.12,3.14}",
        help="the Python whose sum() to compute; 3.12 is also 3.13's (default: %(default)s)",
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Score the folder and give the exit code."""
    try:
        if _is_verifier_folder(options.folder):
            return _score_verifier(options.folder, options.series)
        return _score_job(options)
    except JobFolderError as error:
        _say(str(error))
        return UNREADABLE


def _is_verifier_folder(folder: Path) -> bool:
    """Whether it is a verifier's folder.

    Raises:
        JobFolderError: it is neither that nor a job's.
    """
    try:
        names = set(os.listdir(folder))
    except OSError as error:
        raise JobFolderError([f"{folder}: {error.strerror}"]) from None
    if names & {"reward.json", "reward.txt"} or folder.resolve().name == "verifier":
        return True
    if "trial.log" in names or "verifier" in names:
        raise JobFolderError([f"{folder}: a trial's folder; score its verifier folder, or the job's folder above it"])
    if not names & {"config.json", "lock.json", "result.json"}:
        what = "neither a job's folder (config.json, lock.json, result.json) nor a verifier's (reward.json, reward.txt)"
        raise JobFolderError([f"{folder}: {what}"])
    return False


def _score_verifier(folder: Path, series: Series) -> int:
    try:
        for name in ("reward.json", "reward.txt"):
            path = folder / name
            if path.exists() and path.stat().st_size > LIMIT:
                raise JobFolderError([f"{path}: {path.stat().st_size:,} bytes, more than the {LIMIT:,} that are read"])
        rewards = read_reward(folder, series=series)
    except PermissionError as error:
        raise JobFolderError([f"{error.filename}: may not be read"]) from None
    except (OSError, ValueError, RecursionError, RewardFileEmptyError, VerifierOutputParseError) as error:
        _say(f"{type(error).__name__}: {error}")
        return DIFFERENT
    print(json.dumps(rewards))
    return SAME


def _score_job(options: argparse.Namespace) -> int:
    # Many trials are many objects, and none of them are part of a cycle.
    gc.disable()
    say = _nothing if options.quiet else _say
    with _progress(shown=not options.quiet and sys.stderr.isatty()) as watch:
        job = read_job(options.folder, series=options.series, watch=watch)
    for note in _notes(job):
        say(f"note: {note}")
    try:
        judgement = judge(job, series=options.series)
    except OverflowError as error:
        raise JobFolderError([f"a metric raises OverflowError, which ends a job of Harbor's: {error}"]) from None
    except RecursionError:
        raise JobFolderError([f"{options.folder / 'result.json'}: nested too deeply"]) from None
    if not options.check:
        _write(judgement.text)
    disputed = list(recorded_differences(job, series=options.series)) if options.files else []
    for line in _verdict(job, judgement):
        say(line)
    for line in _cut(disputed):
        say(line)
    return SAME if judgement.same_text and not disputed else DIFFERENT


def _notes(job: JobFolder) -> Iterator[str]:
    """What was assumed, and what is odd."""
    for name in job.config.remote:
        yield f"dataset {name} is a registry's; metrics that the registry adds are not in the folder, none is assumed"
    strangers = unplanned(job)
    if strangers:
        yield f"lock.json plans no such trial, or not so often: {_names(strangers)}"
    if job.strange:
        yield f"no trials, left out: {_names(job.strange)}"
    missing = len(job.lock.planned) - len(job.trials) - len(job.running)
    if job.record.finished and missing > 0:
        yield f"lock.json plans {len(job.lock.planned):,} trials, {missing:,} of them are not in the folder"
    if not job.record.finished:
        yield "the job has not ended: its result.json is held to the interim stats, counts of running trials taken over"
        unheard = len(job.trials) - sum(map(len, heard_of(job)))
        if unheard:
            yield f"{unheard:,} trials have ended since result.json was written; they are left out"
        if job.record.retries:
            yield "what trials had given before they were tried again has left traces that the folder cannot show"


def _verdict(job: JobFolder, judgement: Judgement) -> Iterator[str]:
    taken = "id, started_at, updated_at, finished_at and n_retries taken over"
    order = f"{len(job.trials):,} trials, {judgement.order}; {taken}"
    if judgement.same_text:
        yield f"result.json says exactly this ({order})"
        return
    found = judgement.differences
    if not found:
        yield f"result.json has the same values, but is not written as Harbor writes it ({order})"
        return
    places = "1 place" if len(found) == 1 else f"{len(found):,} places"
    yield f"result.json differs in {places} ({order})"
    yield from _cut([f"  {difference}" for difference in found])


def _cut(lines: list[str]) -> list[str]:
    return [*lines[:_SHOWN], *([f"  and {len(lines) - _SHOWN:,} more"] if len(lines) > _SHOWN else [])]


def _names(names: list[str]) -> str:
    shown = ", ".join(names[:3])
    return shown + (f" and {len(names) - 3:,} more" if len(names) > 3 else "")


def _write(text: str) -> None:
    """Exactly the text where it is kept; a line break after it where it is only seen."""
    try:
        sys.stdout.buffer.write(text.encode())
        if sys.stdout.isatty():
            sys.stdout.buffer.write(b"\n")
        sys.stdout.buffer.flush()
    except BrokenPipeError:  # whoever read it has had enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _say(line: str) -> None:
    print(line, file=sys.stderr)


def _nothing(line: str) -> None:
    pass


@contextmanager
def _progress(*, shown: bool) -> Iterator[Watch | None]:
    """A bar on standard error, for people; it is asked once in a thousand trials."""
    if not shown:
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = TextColumn("reading trials"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("trials", total=None)
        yield lambda done, total: progress.update(task, completed=done, total=total)
