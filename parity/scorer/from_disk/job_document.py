"""Compute the expected text of a job's result.json, and judge the present one."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto
from itertools import chain

from parity.scorer.from_disk.any_order import same_values
from parity.scorer.from_disk.differences import DocumentDifference, differences, parse
from parity.scorer.from_disk.files import FolderError
from parity.scorer.from_disk.interim import document_text, interim_text, may_have_traces
from parity.scorer.from_disk.job_folder import JobFolder
from parity.scorer.from_disk.job_order import (
    Order,
    has_many_orders,
    hides_runs,
    other_orders,
    possible_runs,
    shown_order,
    split_runs,
)
from parity.scorer.job import CANCELLED
from parity.scorer.job_stats import final_stats
from parity.scorer.series import OFFICIAL, Series
from parity.scorer.stats import Progress


class Verdict(Enum):
    """The verdict on a job's result.json."""

    RIGHT = auto()
    """The text is the expected one, in the order that the folder shows or in another order that it cannot rule out."""

    SELF_CONSISTENT = auto()
    """The text is right only in an order that was taken from its own lists."""

    UNDECIDED = auto()
    """The text's values are right, but more orders are possible than are tried."""

    WRONG = auto()


@dataclass(frozen=True)
class Judgement:
    """The expected result.json, and the differences of the present one."""

    text: str
    """The whole document in the order that the folder shows, or in another order that gives the present result.json.

    Id, times and retries are those of the present one.
    """

    order: str
    """The order that the folder shows, as a phrase."""

    verdict: Verdict
    confirmed_by: str | None = None
    """Another order that gives the present result.json, as a phrase."""

    differences: tuple[DocumentDifference, ...] = ()
    """Differences between `text` and the present result.json."""


def judge(job: JobFolder, *, series: Series = OFFICIAL) -> Judgement:
    """Compute the job's result.json in the order that the folder shows, and compare the present one with it.

    Raises:
        OverflowError: a metric includes an int beyond the range of a double, which ends a job.
        FolderError: the job has not ended and has retries; its different text may still be right.
    """
    orders = _documents(job, series)
    shown, text = next(orders)
    if text == job.record.text:
        return Judgement(text, shown.phrase, Verdict.RIGHT)
    found = tuple(differences(parse(text), parse(job.record.text)))
    for order, other in orders:
        if other == job.record.text:
            if order.own:
                return Judgement(text, shown.phrase, Verdict.SELF_CONSISTENT, order.phrase, found)
            return Judgement(other, shown.phrase, Verdict.RIGHT, order.phrase)
    if not job.record.finished and may_have_traces(job):
        raise FolderError(
            job.path / "result.json",
            "cannot be judged: the job has not ended, and retried trials left traces that no folder shows",
            "score it when the job has ended",
        )
    if _is_undecided(job, text):
        return Judgement(text, shown.phrase, Verdict.UNDECIDED, None, found)
    return Judgement(text, shown.phrase, Verdict.WRONG, None, found)


def _is_undecided(job: JobFolder, text: str) -> bool:
    """Return whether result.json may be right in an order that has not been tried.

    Args:
        job: the job.
        text: the expected text of its result.json in one order.
    """
    if job.record.finished:
        return has_many_orders(job) and same_values(parse(text), parse(job.record.text), job.trials)
    # Which groups have metrics depends on which trials are of the last run.
    return bool(split_runs(job).earlier) and same_values(
        parse(text), parse(job.record.text), job.trials, sums=not hides_runs(job)
    )


def _documents(job: JobFolder, series: Series) -> Iterator[tuple[Order, str]]:
    """Yield the possible orders of trials with their documents, first the order that the folder shows."""
    if not job.record.finished:
        for runs in possible_runs(job):
            phrase = "as they ended, after those of earlier runs" if runs.earlier else "as they ended"
            yield Order(phrase, [*runs.earlier, *runs.later]), interim_text(job, runs, series)
        return
    cancelled = sum(file.trial.exception == CANCELLED for file in job.trials)
    progress = Progress(0, cancelled, job.record.retries)
    for order in chain([shown_order(job)], other_orders(job)):
        yield order, _final_text(job, order, progress, series)


def _final_text(job: JobFolder, order: Order, progress: Progress, series: Series) -> str:
    return document_text(job, final_stats([file.trial for file in order.files], job.metrics, series), progress)
