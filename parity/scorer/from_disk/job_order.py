"""The order in which a job took its trials, which decides last bits, the order of groups and of names.

A job that ran in one go took them as planned: by attempt, then task, then agent. A job that was resumed took first the
trials that it found in its folder, in the order of the directory, then the others as planned. The time of config.json,
which every run writes before its first trial, shows which trials are of earlier runs; which of several equal attempts
was planned first shows in the time when they started.

That is the order which the folder shows, and a result.json is judged by it. Some of it may be lost: a copy has other
times and another directory, and a trial that was tried again started late. Only there are other orders tried.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from parity.scorer.from_disk.job_folder import JobFolder
from parity.scorer.from_disk.listed_order import attempts_as_listed, in_chains
from parity.scorer.from_disk.trial_file import TrialFile

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
    """Whether it is taken from the lists in result.json itself, so that agreement proves little."""


def split_runs(job: JobFolder) -> Runs:
    """The trials that started before config.json was last written, and the others."""
    return Runs(
        [file for file in job.trials if file.started < job.config.started],
        [file for file in job.trials if file.started >= job.config.started],
    )


def looks_copied(job: JobFolder, runs: Runs) -> bool:
    """Whether config.json is younger than all else: its time is that of a copy, and shows no run."""
    return bool(runs.earlier) and not runs.later and job.config.started > job.record.updated


def possible_runs(job: JobFolder) -> list[Runs]:
    """The trials by runs, likeliest first: in a copy all may be of the last one."""
    runs = split_runs(job)
    return [Runs([], job.trials), runs] if looks_copied(job, runs) else [runs]


def shown_order(job: JobFolder) -> Order:
    """The order that the folder shows."""
    runs = split_runs(job)
    if not runs.earlier or looks_copied(job, runs):
        return _as_planned(job)
    if not runs.later:
        return _as_in_directory(job)
    rest = _planned(job, runs.later, Counter(file.kind for file in runs.earlier))
    phrase = "as a resumed job does: those of earlier runs as the directory lists them, then the others as planned"
    return Order(phrase, [*runs.earlier, *rest])


def other_orders(job: JobFolder, shown: Order) -> Iterator[Order]:
    """Orders that can only show that result.json is right, because the folder cannot rule them out."""
    runs = split_runs(job)
    if runs.earlier and not runs.later:
        yield _as_in_directory(job) if looks_copied(job, runs) else _as_planned(job)
    chains, files = job.record.chains, shown.files
    if job.record.retries and _has_equals(files):
        after = len(runs.earlier) if runs.later else 0  # what earlier runs left was not tried again
        files = [*files[:after], *attempts_as_listed(files[after:], chains)]
        yield Order("equal attempts as they have them", files, own=True)
    if runs.earlier:
        yield Order("trials as they have them", in_chains(files, chains), own=True)


def _as_planned(job: JobFolder) -> Order:
    phrase = "as lock.json plans them, attempts by the time when they started"
    return Order(phrase, _planned(job, job.trials, Counter()))


def _as_in_directory(job: JobFolder) -> Order:
    return Order("as the directory lists them, which a finished job does when it is resumed", job.trials)


def _has_equals(files: Sequence[TrialFile]) -> bool:
    return len({file.kind for file in files}) < len(files)


def unplanned(job: JobFolder) -> list[str]:
    """Folders of the trials for which lock.json has no place."""
    places = Counter(job.lock.planned)
    places.subtract(file.kind for file in job.trials)
    kinds = {kind for kind, left in places.items() if left < 0}
    return [file.folder for file in job.trials if file.kind in kinds]


def _planned(job: JobFolder, files: Sequence[TrialFile], taken: Counter[int]) -> list[TrialFile]:
    """Each trial in the first free place of its kind; trials without a place at the end.

    Args:
        job: the job.
        files: the trials to order.
        taken: how many places of a kind are taken by other trials; they are its first ones.
    """
    places: dict[int, list[int]] = {}
    for place, kind in enumerate(job.lock.planned):
        places.setdefault(kind, []).append(place)
    next_place = Counter(taken)
    placed: list[tuple[float, float, int]] = []
    for number in sorted(range(len(files)), key=lambda number: files[number].started):
        file = files[number]
        free = places.get(file.kind, [])
        turn = next_place[file.kind]
        next_place[file.kind] += 1
        placed.append((free[turn] if turn < len(free) else _NO_PLACE, file.started, number))
    return [files[number] for _, _, number in sorted(placed)]
