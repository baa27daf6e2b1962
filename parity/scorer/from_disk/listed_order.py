"""Find the order in which a job took its trials, from the lists of names in its result.json."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from graphlib import CycleError, TopologicalSorter
from heapq import heappop, heappush
from itertools import chain, combinations, pairwise

from parity.scorer.from_disk.trial_file import Kind, TrialFile

_NEAR = 8
"""How many names before and after a name are compared to find its place in a list."""


def attempts_as_listed(base: list[TrialFile], chains: Iterable[Sequence[str]]) -> list[TrialFile]:
    """Swap equal attempts in `base` for as long as that puts more names in the order of their lists.

    A retried trial started late, so start times may mix up attempts.

    Args:
        base: the trials as planned.
        chains: names of trials in the order in which the job took them.
    """
    files = {file.trial.name: file for file in base}
    places = {name: place for place, name in enumerate(files)}
    before, after = defaultdict[str, list[str]](list), defaultdict[str, list[str]](list)
    for listed in chains:
        known = [name for name in listed if name in files]
        for number, name in enumerate(known):
            before[name] += known[max(0, number - _NEAR) : number]
            after[name] += known[number + 1 : number + 1 + _NEAR]

    def misplaced(*names: str) -> int:
        return sum(
            sum(places[other] > places[name] for other in before[name])
            + sum(places[other] < places[name] for other in after[name])
            for name in names
        )

    attempts = defaultdict[Kind, list[str]](list)
    for name, file in files.items():
        attempts[file.kind].append(name)
    moved = True
    while moved:
        moved = False
        for one, other in chain.from_iterable(combinations(names, 2) for names in attempts.values()):
            now = misplaced(one, other)
            if now:
                places[one], places[other] = places[other], places[one]
                if misplaced(one, other) < now:
                    moved = True
                else:
                    places[one], places[other] = places[other], places[one]
    return [files[name] for name in sorted(files, key=places.__getitem__)]


def in_chains(base: list[TrialFile], chains: Iterable[Sequence[str]]) -> list[TrialFile]:
    """Return the trials in an order that fits every chain and stays near `base`; `base` itself if the chains
    contradict.
    """
    places = {file.trial.name: place for place, file in enumerate(base)}
    sorter = TopologicalSorter[int](dict.fromkeys(range(len(base)), ()))
    for listed in chains:
        for before, after in pairwise([places[name] for name in listed if name in places]):
            sorter.add(after, before)
    try:
        sorter.prepare()
    except CycleError:
        return base
    free: list[int] = []
    ordered = []
    while sorter.is_active():
        for place in sorter.get_ready():
            heappush(free, place)
        place = heappop(free)
        sorter.done(place)
        ordered.append(base[place])
    return ordered
