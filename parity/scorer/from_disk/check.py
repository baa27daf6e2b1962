"""Check a job's result.json: compute the text that Harbor would write, and compare the present one with it.

Last bits and the order of names depend on the order of the trials. A directory can show two orders:

- a job that was not interrupted has its trials as planned: by attempt, then task, then agent;
- a resumed job first has those of earlier runs as the directory lists them, then the others as planned. Every run
  writes config.json before its first trial, so its time shows which trials are of earlier runs.

A result.json in neither of them is wrong, unless the directory hides the order of the trials and the text is possible
in some other order.
"""

import re
from collections import Counter, defaultdict, deque
from collections.abc import Sequence
from dataclasses import dataclass

from parity.scorer.from_disk.any_order import is_possible
from parity.scorer.from_disk.differences import layout_lines, value_lines
from parity.scorer.from_disk.files import FileError
from parity.scorer.from_disk.job_directory import JobDirectory
from parity.scorer.from_disk.trial_file import TaskAndAgent, TrialFile
from parity.scorer.job import CANCELLED
from parity.scorer.job_stats import final_stats
from parity.scorer.result_text import json_text
from parity.scorer.series import OFFICIAL, Series
from parity.scorer.stats import Progress, job_document


@dataclass(frozen=True)
class Order:
    """A possible order of a job's trials."""

    phrase: str
    files: Sequence[TrialFile]


@dataclass(frozen=True)
class Check:
    """The result of a check. A job's result.json is right if there are no differences."""

    text: str
    """The result.json that Harbor would write. Of two orders, it is in the one with fewer differences of values.

    Id, times and retries are those of the present one. It is empty if a metric raises OverflowError.
    """

    order: Order
    differences: list[str]
    """A line for each difference of the present result.json, and for each renamed directory of a trial."""

    hidden: str | None = None
    """The order or number that the directory does not show, if it may explain the differences; else None."""


def check(job: JobDirectory, *, series: Series = OFFICIAL) -> Check:
    """Compute the result.json of a job that has ended, and compare the present one with it.

    Raises:
        FileError: the job has not ended, or its present result.json cannot be read.
    """
    path = job.path / "result.json"
    if job.record.finished_at is None:
        raise FileError(path, "cannot be judged: the job has not ended", "score it when it has")
    possible = orders(job)
    try:
        texts = [_text(job, order, series) for order in possible]
        checks = [(order, text, value_lines(text, job.text)) for order, text in zip(possible, texts, strict=True)]
    except OverflowError as error:
        line = f"a metric raises OverflowError, with which no job of Harbor's ends: {error}"
        return Check("", possible[0], [line], _hidden_order(job))
    except ValueError as error:
        raise FileError(path, f"not JSON: {error}") from None
    order, text, differences = min(checks, key=lambda each: len(each[2]))
    differences = differences or layout_lines(text, job.text)
    renamed = [
        f"{file.directory}: the directory of a trial whose name is {file.trial.name}"
        for file in job.trials
        if file.directory != file.trial.name
    ]
    hidden = _hidden(job, text) if differences and not renamed else None
    return Check(text, order, [*renamed, *differences], hidden)


def orders(job: JobDirectory) -> list[Order]:
    """Return the orders of trials that the directory allows: one, or two for a job that may have been resumed."""
    if job.lock is None:
        phrase = "by the time when they started, because there is no lock.json"
        return [Order(phrase, sorted(job.trials, key=lambda file: file.started))]
    planned = Order("as lock.json plans them, attempts by the time when they started", _planned(job, [], job.trials))
    earlier = [file for file in job.trials if file.started < job.configured]
    if not earlier:
        return [planned]
    later = [file for file in job.trials if file.started >= job.configured]
    resumed = [*earlier, *_planned(job, earlier, later)]
    return [planned, Order("as a resumed job does: those of earlier runs as the directory lists them first", resumed)]


def unplanned(job: JobDirectory) -> list[str]:
    """Return the directories of trials that have no place in lock.json."""
    places = Counter(job.planned)
    counts = Counter(file.task_and_agent for file in job.trials)
    surplus = {key for key, count in counts.items() if count > places[key]}
    return [file.directory for file in job.trials if file.task_and_agent in surplus]


def _planned(job: JobDirectory, earlier: Sequence[TrialFile], later: Sequence[TrialFile]) -> list[TrialFile]:
    """Return later trials, each in the first free place of its task and agent; trials without a place come last.

    Args:
        job: the job.
        earlier: trials that take their places first.
        later: the trials to order.
    """
    free: dict[TaskAndAgent, deque[int]] = defaultdict(deque)
    for place, key in enumerate(job.planned):
        free[key].append(place)
    for file in earlier:
        if free[file.task_and_agent]:
            free[file.task_and_agent].popleft()
    placed = []
    for file in sorted(later, key=lambda file: file.started):
        places = free[file.task_and_agent]
        placed.append((places.popleft() if places else len(job.planned), file))
    return [file for _, file in sorted(placed, key=lambda each: each[0])]


def _text(job: JobDirectory, order: Order, series: Series) -> str:
    trials = [file.trial for file in order.files]
    cancelled = sum(trial.exception == CANCELLED for trial in trials)
    stats = final_stats(trials, job.metrics, series)
    return json_text(
        job_document(job.record.identity, job.total, stats, Progress(0, cancelled, job.record.stats.n_retries))
    )


def _hidden(job: JobDirectory, text: str) -> str | None:
    """Say what the directory does not show, if this may be why result.json differs from the text."""
    if any(file.lost for file in job.trials):
        return "a reward was nan or infinite, or its key not UTF-8, which its trial's result.json does not hold"
    if _is_lost_cost(job, text):
        return "a cost may have been nan or infinite, which its trial's result.json does not hold"
    if job.lock is None:
        return "there is no lock.json, as before Harbor 0.6.6, so the order of its trials is not known"
    order = _hidden_order(job)
    return order if order is not None and is_possible(text, job) else None


def _is_lost_cost(job: JobDirectory, text: str) -> bool:
    """Whether only the cost differs, and a trial has null for its cost."""
    is_null = any(usage.cost is None for file in job.trials for usage in file.trial.usage)
    return is_null and re.sub(r'"cost_usd": .*', '"cost_usd": null', text) == job.text


def _hidden_order(job: JobDirectory) -> str | None:
    counts = Counter(file.task_and_agent for file in job.trials)
    attempts = [key for key, count in counts.items() if count > 1]
    if attempts and job.record.stats.n_retries:
        return "trials were tried again, so a task's attempts may have started in another order than planned"
    if any(git_url or package for _, git_url, package, *_ in attempts):
        return "tasks were downloaded, so a task's attempts may have started in another order than planned"
    if any(file.started < job.configured for file in job.trials):
        return "trials started before config.json was written: the job was resumed or copied, which hides their order"
    return None
