"""Scores a job's directory: writes the correct result.json, the verdict, and notes on assumptions."""

import argparse
import json
from collections.abc import Collection, Iterator

from parity.command.exit_code import ExitCode
from parity.command.streams import counted, say, write
from parity.scorer.denominators import explain_metric
from parity.scorer.job_directory.check import Check, check, unplanned
from parity.scorer.job_directory.differences import some_of
from parity.scorer.job_directory.directory import JobDirectory, read_job
from parity.scorer.job_directory.stored_rewards import reward_differences

_SHOWN = 10


def score_job(options: argparse.Namespace) -> int:
    """Write the document and the verdict, and return the exit code.

    Raises:
        FileError, CommandFailure: the directory cannot be read or judged.
    """
    job = read_job(options.directory)
    left_out: Collection[str] = ()
    checked = check(job, series=options.series)
    if options.reference:
        from parity.command.score_release import check_by_release  # imports the code that runs other releases of Harbor

        checked, left_out = check_by_release(job, checked, options.reference)
    lines = [f"note: {note}" for note in _notes(job)]
    if checked.text and not options.check:
        write(checked.text)
        lines += [f"metric: {line}" for line in _metrics(job, checked.text, left_out)]
    contradictions = list(reward_differences(job, series=options.series)) if options.files else []
    lines += [*_verdict(job, checked), *_shortened(contradictions)]
    for line in lines if not options.quiet else ():
        say(line)
    if contradictions:
        return ExitCode.DIFFERS
    if not checked.differences:
        return ExitCode.RIGHT
    return ExitCode.DIFFERS if checked.hidden is None else ExitCode.UNJUDGED


def _notes(job: JobDirectory) -> Iterator[str]:
    """Yield a note on each assumption about the job, and on unusual content of its directory."""
    for dataset in job.config.datasets:
        if dataset.path is None:
            yield (
                f"dataset {dataset.name} is from a registry; the registry's metrics are not in the directory, so none "
                "are assumed"
            )
    if job.others:
        yield f"left out, because they have no result.json: {some_of(job.others)}"
    if job.lock is None:
        return
    if unexpected := unplanned(job):
        yield f"lock.json plans none or fewer of these trials: {some_of(unexpected)}"
    missing = len(job.planned) - len(job.trials)
    if missing > 0:
        planned = counted(len(job.planned), "trial")
        yield f"lock.json plans {planned}; {missing:,} of them {'is' if missing == 1 else 'are'} not in the directory"


def _metrics(job: JobDirectory, text: str, left_out: Collection[str]) -> Iterator[str]:
    """Yield a line for each number in the metrics of a result.json, with the trials from which it is computed."""
    for key, group in json.loads(text)["stats"]["evals"].items():
        trials = [file.trial for file in job.trials if file.trial.key == key]
        # A dataset without its own metrics is from a registry; for it, a release computes the job's metrics.
        names = job.metrics.get(key.split("__")[-1]) or job.metrics["adhoc"]
        for metric, computed in zip(names, group["metrics"], strict=False):
            yield from (f"{key}: {line}" for line in explain_metric(metric, computed, trials, left_out))


def _verdict(job: JobDirectory, checked: Check) -> Iterator[str]:
    copied = "id, started_at, updated_at, finished_at and n_retries copied from it"
    order = f"({counted(len(job.trials), 'trial')}, {checked.order.phrase}; {copied})"
    if not checked.differences:
        yield f"result.json is right {order}"
        return
    places = counted(len(checked.differences), "place")
    if checked.hidden is None:
        yield f"result.json differs in {places} {order}"
    else:
        yield f"result.json cannot be judged: {checked.hidden}"
        yield f"in the order that the directory shows, it differs in {places} {order}"
    yield from _shortened(checked.differences)


def _shortened(lines: list[str]) -> Iterator[str]:
    """Yield the first lines, indented, and a line with the number of the remaining lines."""
    yield from (f"  {line}" for line in lines[:_SHOWN])
    if len(lines) > _SHOWN:
        yield f"  and {len(lines) - _SHOWN:,} more"
