"""Scores a job's folder: writes the correct result.json, the verdict, and notes on assumptions."""

import argparse
import json
import sys
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager

from parity.command.exit_code import CommandFailure, ExitCode
from parity.command.streams import counted, say, write
from parity.scorer.denominators import explained
from parity.scorer.from_disk.differences import DocumentDifference, NameDifference
from parity.scorer.from_disk.files import FolderError
from parity.scorer.from_disk.interim import received_of
from parity.scorer.from_disk.job_document import Judgement, Verdict, judge
from parity.scorer.from_disk.job_folder import JobFolder, Watch, read_job
from parity.scorer.from_disk.job_order import hides_runs, possible_runs, unplanned
from parity.scorer.from_disk.recorded_rewards import recorded_differences

_SHOWN = 10


def score_job(options: argparse.Namespace) -> int:
    """Write the document and the verdict, and return the exit code.

    Raises:
        JobFolderError, CommandFailure: the folder cannot be read or judged.
    """
    inform = _nothing if options.quiet else say
    with _progress(shown=not options.quiet and sys.stderr.isatty()) as watch:
        job = read_job(options.folder, series=options.series, watch=watch)
    left_out: Collection[str] = ()
    try:
        if options.reference:
            from parity.command.score_release import judge_by_release  # imports the parts that ask releases

            judgement, left_out = judge_by_release(job, options.reference)
        else:
            judgement = judge(job, series=options.series)
    except OverflowError as error:
        what = f"a metric raises OverflowError, which ends a job of Harbor's: {error}"
        raise CommandFailure.at(options.folder, what, "correct the rewards") from None
    except RecursionError:
        raise CommandFailure.at(
            options.folder / "result.json", "nested too deeply", "restore it as Harbor wrote it"
        ) from None
    except FolderError as error:
        raise CommandFailure(str(error)) from None
    for note in _notes(job):
        inform(f"note: {note}")
    if not options.check:
        # A final line break is only for terminals; a file must have Harbor's exact bytes.
        write(judgement.text + ("\n" if sys.stdout.isatty() else ""))
        for line in _metrics(job, judgement.text, left_out) if job.record.finished else ():
            inform(f"metric: {line}")
    disputed = list(recorded_differences(job, series=options.series)) if options.files else []
    for line in [*_verdict(job, judgement), *_cut(disputed)]:
        inform(line)
    return ExitCode.DIFFERS if disputed else _CODES[judgement.verdict]


_CODES = {
    Verdict.RIGHT: ExitCode.RIGHT,
    Verdict.SELF_CONSISTENT: ExitCode.UNJUDGED,
    Verdict.UNDECIDED: ExitCode.UNJUDGED,
    Verdict.WRONG: ExitCode.DIFFERS,
}


def _notes(job: JobFolder) -> Iterator[str]:
    """Yield notes on assumptions about the job, and on unusual content of its folder."""
    for name in job.config.remote:
        yield f"dataset {name} is from a registry; metrics of the registry are not in the folder, so none are assumed"
    strangers = unplanned(job)
    if strangers:
        yield f"lock.json does not plan these trials, or not so many of them: {_names(strangers)}"
    if job.strange:
        yield f"left out, because they are no trials: {_names(job.strange)}"
    missing = len(job.lock.planned) - len(job.trials) - len(job.running)
    if job.record.finished and missing > 0:
        planned = counted(len(job.lock.planned), "trial")
        yield f"lock.json plans {planned}; {missing:,} of them {'is' if missing == 1 else 'are'} not in the folder"
    if not job.record.finished:
        yield "the job has not ended: result.json is compared with interim stats, its counts of running trials copied"
        unreceived = len(job.trials) - sum(map(len, received_of(job, possible_runs(job)[0])))
        if unreceived:
            yield f"left out: {counted(unreceived, 'trial')} that ended after the last update of the job's stats"
    if hides_runs(job):
        yield "config.json is the newest file, as in a copy, so its time shows no earlier runs"


def _metrics(job: JobFolder, text: str, left_out: Collection[str]) -> Iterator[str]:
    """Yield a line for each number of the metrics in a result.json, with the trials that it counts."""
    for key, group in json.loads(text)["stats"]["evals"].items():
        trials = [file.trial for file in job.trials if file.trial.key == key]
        # Without a metric of its own, the dataset is one of a registry, to which a release gives the job's metrics.
        names = job.metrics.get(key.split("__")[-1]) or job.metrics["adhoc"]
        for metric, computed in zip(names, group["metrics"], strict=False):
            yield from (f"{key}: {line}" for line in explained(metric, computed, trials, left_out))


def _verdict(job: JobFolder, judgement: Judgement) -> Iterator[str]:
    taken = "id, started_at, updated_at, finished_at and n_retries copied from it"
    order = f"{counted(len(job.trials), 'trial')}, {judgement.order}; {taken}"
    found = _by_trial(judgement.differences)
    places = counted(len(found), "place")
    if judgement.verdict is Verdict.SELF_CONSISTENT:
        own = judgement.confirmed_by
        yield f"cannot be judged: result.json agrees with itself in an order that only its own lists show, {own}"
        yield f"in the order that the folder shows, it differs in {places} ({order})"
    elif judgement.verdict is Verdict.UNDECIDED:
        yield "cannot be judged: result.json has the values of its trials, but too many orders are possible to try all"
        yield f"in the order that the folder shows, it differs in {places} ({order})"
    elif judgement.confirmed_by is not None:
        yield f"result.json is right with its trials {judgement.confirmed_by}, which the folder cannot rule out"
        yield f"in the likelier order, it would be different ({order})"
    elif judgement.verdict is Verdict.RIGHT:
        yield f"result.json is right ({order})"
    elif found:
        yield f"result.json differs in {places} ({order})"
    else:
        yield f"result.json has the same values, but is not written as Harbor writes it ({order})"
    yield from _cut([f"  {line}" for line in found])


def _by_trial(found: Sequence[DocumentDifference]) -> list[str]:
    """Return a line for each trial that is in the wrong lists, then a line for each other difference."""
    trials: dict[str, list[NameDifference]] = {}
    for each in found:
        if isinstance(each, NameDifference):
            trials.setdefault(each.name, []).append(each)
    others = [str(each) for each in found if not isinstance(each, NameDifference)]
    return [*(_placed(name, places) for name, places in trials.items()), *others]


def _placed(name: str, places: Sequence[NameDifference]) -> str:
    """Return a line about a trial, with the lists that lack it and the lists that should not have it."""
    missing, strange = ([each.list_path for each in places if each.lacks is lacks] for lacks in (True, False))
    if not missing:
        return f"{name}: should not be in {_names(strange)}, but is"
    return f"{name}: should be in {_names(missing)}, is {'in ' + _names(strange) if strange else 'not'}"


def _cut(lines: list[str]) -> list[str]:
    return [*lines[:_SHOWN], *([f"  and {len(lines) - _SHOWN:,} more"] if len(lines) > _SHOWN else [])]


def _names(names: list[str]) -> str:
    shown = ", ".join(names[:3])
    return shown + (f" and {len(names) - 3:,} more" if len(names) > 3 else "")


def _nothing(line: str) -> None:
    pass


@contextmanager
def _progress(*, shown: bool) -> Iterator[Watch | None]:
    """Show a progress bar on standard error, and update it once in a thousand trials."""
    if not shown:
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = TextColumn("reading trials"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("trials", total=None)
        yield lambda done, total: progress.update(task, completed=done, total=total)
