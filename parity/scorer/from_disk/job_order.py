"""The order in which a job took its trials. It decides last bits, and the order of groups and names.

A job that ran in one go took its trials as planned: by attempt, then task, then agent. A resumed job first took the
trials in its folder, in the order of the directory, then the others as planned. Every run writes config.json before its
first trial, so its time shows which trials are of earlier runs. Start times show which of several equal attempts was
planned first.

This is the order that the folder shows, and a result.json is judged by it. It may be lost: a copy has other times and
another directory, and a retried trial started late. Only in these cases are other orders tried.
"""

from collections import Counter, defaultdict, deque
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from parity.scorer.from_disk.job_folder import JobFolder
from parity.scorer.from_disk.listed_order import attempts_as_listed, in_chains
from parity.scorer.from_disk.trial_file import Kind, TrialFile

_NO_PLACE = float("inf")


class Runs(NamedTuple):
    """The trials of earlier runs of a job, and those of its last."""

    earlier: list[TrialFile]
    later: list[TrialFile]


class Order(NamedTuple):
    """An order in which a job may have taken its trials."""

    phrase: str
    files: list[TrialFile]
    own: bool = False
    """Whether the order comes from the lists in result.json itself, so that agreement proves little."""


def split_runs(job: JobFolder) -> Runs:
    """Return the trials that started before config.json was last written, and the others."""
    return Runs(
        [file for file in job.trials if file.started < job.config.started],
        [file for file in job.trials if file.started >= job.config.started],
    )


def looks_copied(job: JobFolder, runs: Runs) -> bool:
    """Return whether config.json is younger than all else. Its time is then the time of a copy, and shows no run."""
    return bool(runs.earlier) and not runs.later and job.config.started > job.record.updated


def possible_runs(job: JobFolder) -> list[Runs]:
    """Return the possible divisions of the trials into runs, the likeliest first. In a copy, all may be of the last
    run.
    """
    runs = split_runs(job)
    return [Runs([], job.trials), runs] if looks_copied(job, runs) else [runs]


def shown_order(job: JobFolder) -> Order:
    """Return the order that the folder shows."""
    runs = split_runs(job)
    if not runs.earlier or looks_copied(job, runs):
        return _as_planned(job)
    if not runs.later:
        return _as_in_directory(job)
    rest = _planned(job, runs.earlier, runs.later)
    phrase = "as a resumed job does: those of earlier runs as the directory lists them, then the others as planned"
    return Order(phrase, [*runs.earlier, *rest])


def other_orders(job: JobFolder, shown: Order) -> Iterator[Order]:
    """Yield orders that can only show that result.json is right, because the folder cannot rule them out."""
    runs = split_runs(job)
    if runs.earlier and not runs.later:
        yield _as_in_directory(job) if looks_copied(job, runs) else _as_planned(job)
    chains, files = job.record.chains, shown.files
    if job.record.retries:
        after = len(runs.earlier) if runs.later else 0  # trials of earlier runs were not retried
        files = [*files[:after], *attempts_as_listed(files[after:], chains)]
        yield Order("equal attempts as they have them", files, own=True)
    if runs.earlier:
        yield Order("trials as they have them", in_chains(files, chains), own=True)


def _as_planned(job: JobFolder) -> Order:
    phrase = "as lock.json plans them, attempts by the time when they started"
    return Order(phrase, _planned(job, [], job.trials))


def _as_in_directory(job: JobFolder) -> Order:
    return Order("as the directory lists them, which a finished job does when it is resumed", job.trials)


def unplanned(job: JobFolder) -> list[str]:
    """Return the folders of trials that have no place in lock.json."""
    places = Counter(job.lock.planned)
    kinds = {kind for kind, count in Counter(file.kind for file in job.trials).items() if count > places[kind]}
    return [file.folder for file in job.trials if file.kind in kinds]


def _planned(job: JobFolder, earlier: Sequence[TrialFile], later: Sequence[TrialFile]) -> list[TrialFile]:
    """Return later trials, each in the first free place of its kind; trials without a place come last.

    Args:
        job: the job.
        earlier: trials that take places before them.
        later: the trials to order.
    """
    free = defaultdict[Kind, deque[int]](deque)
    for place, kind in enumerate(job.lock.planned):
        free[kind].append(place)
    started = sorted(later, key=lambda file: file.started)
    places = [free[file.kind].popleft() if free[file.kind] else _NO_PLACE for file in [*earlier, *started]]
    placed = zip(places[len(earlier) :], started, strict=True)
    return [file for _, file in sorted(placed, key=lambda each: each[0])]
