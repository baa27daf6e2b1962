"""The order in which a job took its trials, which decides last bits, the order of groups and of names.

A job that ran in one go took them as planned: by attempt, then task, then agent. A job that was resumed took first the
trials that it found in its folder, in the order of the directory, then the others as planned. Which of several equal
attempts was planned first shows in the time when they started; but a trial that was tried again started late, so where
that does not give what result.json says, its lists of names are asked.
"""

from collections import Counter
from collections.abc import Iterator, Sequence

from parity.scorer.from_disk.job_folder import JobFolder
from parity.scorer.from_disk.listed_order import attempts_as_listed, in_chains
from parity.scorer.from_disk.trial_file import TrialFile

_NO_PLACE = float("inf")


def known_orders(job: JobFolder) -> Iterator[tuple[str, list[TrialFile]]]:
    """Orders in which the job may have taken its trials, likeliest first, each with a phrase that says what it is."""
    earlier, later = split_runs(job)
    if earlier and later:
        resumed = [*earlier, *_planned(job, later, Counter(file.kind for file in earlier))]
        yield (
            "as a resumed job does: those of earlier runs as the directory lists them, then the others as planned",
            resumed,
        )
    planned = _planned(job, job.trials, Counter())
    yield "as lock.json plans them, attempts by the time when they started", planned
    yield "as the directory lists them, which a finished job does when it is resumed", job.trials
    chains = job.record.chains
    attempts = attempts_as_listed(planned, chains)
    yield "as lock.json plans them, attempts as result.json lists them", attempts
    yield "as result.json lists them", in_chains(attempts, chains)


def split_runs(job: JobFolder) -> tuple[list[TrialFile], list[TrialFile]]:
    """The trials that started before the job's last run, and the others."""
    earlier = [file for file in job.trials if file.started < job.config.started]
    later = [file for file in job.trials if file.started >= job.config.started]
    return earlier, later


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
