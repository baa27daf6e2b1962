"""Check a job's result.json: compute the text that Harbor would write, and compare the existing file with it.

The last bits of sums and the order of names depend on the order of the trials. A directory allows up to two orders:

- If the job was not interrupted, its trials are in planned order: by attempt, then task, then agent.
- If the job was resumed, the trials of previous runs come first, in the order in which the directory lists them. The
  remaining trials follow in planned order. Every run writes config.json before its first trial, so a trial that started
  before config.json was last written belongs to a previous run.

A result.json that fits neither order is wrong, unless the directory does not show the order of the trials and Harbor
could have written the file for some other order.
"""

import re
from collections import Counter, defaultdict, deque
from collections.abc import Sequence
from dataclasses import dataclass

from parity.scorer.job import CANCELLED
from parity.scorer.job_directory.any_order import is_possible
from parity.scorer.job_directory.differences import layout_lines, value_lines
from parity.scorer.job_directory.directory import JobDirectory
from parity.scorer.job_directory.files import FileError
from parity.scorer.job_directory.trial_file import TaskAndAgent, TrialFile
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
    """The result of a check. A job's result.json is correct if there are no differences."""

    text: str
    """The result.json that Harbor would write. If two orders are possible, the one with fewer differing values is used.

    The id, the times and the number of retries are copied from the existing file. Empty if a metric raises
    OverflowError.
    """

    order: Order
    differences: list[str]
    """A line for each renamed trial directory, and for each difference between the existing result.json and `text`."""

    hidden: str | None = None
    """The missing fact (an order or a number) that may explain the differences; None if there is none."""


def check(job: JobDirectory, *, series: Series = OFFICIAL) -> Check:
    """Compute the result.json of a job that has ended, and compare the existing file with it.

    Raises:
        FileError: the job has not ended, or its existing result.json cannot be read.
    """
    path = job.path / "result.json"
    if job.stored.finished_at is None:
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
    """Return the orders of trials that the directory allows: one, or two if the job may have been resumed."""
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
    """Return the directories of trials whose task and agent occur more often than lock.json plans."""
    places = Counter(job.planned)
    counts = Counter(file.task_and_agent for file in job.trials)
    surplus = {key for key, count in counts.items() if count > places[key]}
    return [file.directory for file in job.trials if file.task_and_agent in surplus]


def _planned(job: JobDirectory, earlier: Sequence[TrialFile], later: Sequence[TrialFile]) -> list[TrialFile]:
    """Return the trials in `later` in planned order: each takes the first free place for its task and agent.

    Trials without a free place come last.

    Args:
        job: the job.
        earlier: trials of previous runs, which take their places first.
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
        job_document(job.stored.identity, job.total, stats, Progress(0, cancelled, job.stored.stats.n_retries))
    )


def _hidden(job: JobDirectory, text: str) -> str | None:
    """Return the fact that the directory lacks, if it may be the reason why result.json differs from the text."""
    if any(file.lost_number for file in job.trials):
        return "a reward was nan or infinite, for which its trial's result.json has null"
    if any(file.lost_key for file in job.trials):
        return "the key of a reward was not UTF-8, which its trial's result.json does not hold"
    if _is_lost_cost(job, text):
        return "a cost may have been nan or infinite, which its trial's result.json does not hold"
    if job.lock is None:
        return "there is no lock.json, so the order of its trials is not known"
    order = _hidden_order(job)
    return order if order is not None and is_possible(text, job) else None


def _is_lost_cost(job: JobDirectory, text: str) -> bool:
    """Whether only the cost differs, and some trial records null as its cost."""
    is_null = any(usage.cost is None for file in job.trials for usage in file.trial.usage)
    return is_null and re.sub(r'"cost_usd": .*', '"cost_usd": null', text) == job.text


def _hidden_order(job: JobDirectory) -> str | None:
    counts = Counter(file.task_and_agent for file in job.trials)
    attempts = [key for key, count in counts.items() if count > 1]
    if attempts and job.stored.stats.n_retries:
        return "trials were tried again, so a task's attempts may have started in another order than planned"
    if any(git_url or package for _, git_url, package, *_ in attempts):
        return "tasks were downloaded, so a task's attempts may have started in another order than planned"
    if any(file.started < job.configured for file in job.trials):
        return "trials started before config.json was written: the job was resumed or copied, which hides their order"
    return None
