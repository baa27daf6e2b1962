"""The order in which a job took its trials. It decides last bits, and the order of groups and names.

A job that ran without a break took its trials as planned: by attempt, then task, then agent. A resumed job first took
the trials in its folder, in the order of the directory, then the others as planned. Every run writes config.json before
its first trial, so its time shows which trials are of earlier runs. Start times show which of several equal attempts
was planned first.

A result.json is judged by the order that the folder shows. Parts of this order may be lost: a copy has other times and
another directory order, a refused start wrote config.json again, and a retried trial started late. Only then are other
orders tried, if they are few.
"""

import math
from collections import Counter, defaultdict, deque
from collections.abc import Iterator, Sequence
from itertools import chain, permutations, product
from typing import NamedTuple

from parity.scorer.from_disk.job_folder import JobFolder
from parity.scorer.from_disk.trial_file import Kind, TrialFile

_NO_PLACE = math.inf

_MOST = 50_000
"""The most trials that are counted, in all tried orders together, to limit the time."""


class Runs(NamedTuple):
    """The trials of a job's earlier runs, and the trials of its last run."""

    earlier: list[TrialFile]
    later: list[TrialFile]


class Order(NamedTuple):
    """An order in which a job may have taken its trials."""

    phrase: str
    files: list[TrialFile]
    own: bool = False
    """Whether only result.json itself shows this order, so that agreement proves little."""


def split_runs(job: JobFolder, started: float | None = None) -> Runs:
    """Return the trials that started before the last run of the job, and the others.

    Args:
        job: the job.
        started: the start of the last run; None for the time when config.json was last written.
    """
    start = job.config.started if started is None else started
    return Runs(
        [file for file in job.trials if file.started < start], [file for file in job.trials if file.started >= start]
    )


def hides_runs(job: JobFolder) -> bool:
    """Return whether config.json is the youngest file, as in a copy or after a refused start, and so shows no run."""
    runs = split_runs(job)
    return bool(runs.earlier) and not runs.later and job.config.started > job.record.updated


def possible_runs(job: JobFolder) -> list[Runs]:
    """Return the possible divisions of the trials into runs, the likeliest first."""
    if not hides_runs(job):
        return [split_runs(job)]
    starts = sorted({file.started for file in job.trials})
    few = starts if len(starts) * len(job.trials) <= _MOST else starts[:1]
    return [*(split_runs(job, start) for start in few), split_runs(job)]


def shown_order(job: JobFolder) -> Order:
    """Return the order that the folder shows."""
    return _order(job, possible_runs(job)[0])


def other_orders(job: JobFolder) -> Iterator[Order]:
    """Yield orders that can only show that result.json is right, because the folder cannot rule them out."""
    runs, *others = possible_runs(job)
    if not runs.later:
        yield _order(job, Runs([], job.trials))
    for other in others:
        yield _order(job, other)
    yield from _own_orders(job)


def has_many_orders(job: JobFolder) -> bool:
    """Return whether the folder allows more orders than `other_orders` yields."""
    orders = sum(math.lgamma(len(files) + 1) for files in _exchangeable(job))
    return orders + math.log(len(job.trials) or 1) > math.log(_MOST)


def _own_orders(job: JobFolder) -> Iterator[Order]:
    """Yield every order of the trials whose places the folder does not show, if these orders are few."""
    if has_many_orders(job):
        return
    sets = _exchangeable(job)
    phrase = "trials as they have them" if split_runs(job).earlier else "equal attempts as they have them"
    files = shown_order(job).files
    places = {file.folder: place for place, file in enumerate(files)}
    for order in product(*map(permutations, sets)):
        exchanged = [*files]
        for file, other in zip(chain(*sets), chain(*order), strict=True):
            exchanged[places[file.folder]] = other
        yield Order(phrase, exchanged, own=True)


def _exchangeable(job: JobFolder) -> list[list[TrialFile]]:
    """Return sets of trials; the folder does not show the order within each set.

    The order of the directory is lost in a copy. A retried trial started late, maybe after another attempt at the same
    task.
    """
    runs = split_runs(job)
    sets: list[list[TrialFile]] = [runs.earlier]
    if job.record.retries:
        attempts = defaultdict[Kind, list[TrialFile]](list)
        for file in runs.later:
            attempts[file.kind].append(file)
        sets += attempts.values()
    return [files for files in sets if len(files) > 1]


def _order(job: JobFolder, runs: Runs) -> Order:
    if not runs.earlier:
        phrase = "as lock.json plans them, attempts by the time when they started"
    elif not runs.later:
        phrase = "as the directory lists them, which a finished job does when it is resumed"
    else:
        phrase = "as a resumed job does: those of earlier runs as the directory lists them, then the others as planned"
    return Order(phrase, [*runs.earlier, *_planned(job, runs.earlier, runs.later)])


def unplanned(job: JobFolder) -> list[str]:
    """Return the folders of trials that have no place in lock.json."""
    places = Counter(job.lock.planned)
    kinds = {kind for kind, count in Counter(file.kind for file in job.trials).items() if count > places[kind]}
    return [file.folder for file in job.trials if file.kind in kinds]


def _planned(job: JobFolder, earlier: Sequence[TrialFile], later: Sequence[TrialFile]) -> list[TrialFile]:
    """Return later trials, each in the first free place of its kind; trials without a place come last.

    Args:
        job: the job.
        earlier: trials that take their places first.
        later: the trials to order.
    """
    free = defaultdict[Kind, deque[int]](deque)
    for place, kind in enumerate(job.lock.planned):
        free[kind].append(place)
    started = sorted(later, key=lambda file: file.started)
    places = [free[file.kind].popleft() if free[file.kind] else _NO_PLACE for file in [*earlier, *started]]
    placed = zip(places[len(earlier) :], started, strict=True)
    return [file for _, file in sorted(placed, key=lambda each: each[0])]
