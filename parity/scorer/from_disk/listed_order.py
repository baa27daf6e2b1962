"""Which of several equal attempts was planned first, from the lists of names in result.json.

A trial that was tried again started late, so the times of starting may mix attempts up. Names that break the order of
their list show where that happened: the attempts there are handed out anew to the places of their kind, each within
the places of its neighbours in the lists, the one that must come first before the others.
"""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from heapq import heapify, heappop, heappush
from itertools import pairwise

from parity.scorer.from_disk.trial_file import TrialFile


def attempts_as_listed(base: list[TrialFile], chains: Iterable[Sequence[str]]) -> list[TrialFile]:
    """`base` with attempts changed round so that the chains are in order, where that can be.

    Args:
        base: the trials as planned.
        chains: names of trials in the order in which the job took them.
    """
    places = {file.trial.name: place for place, file in enumerate(base)}
    columns = [[places[name] for name in chain if name in places] for chain in chains]
    mixed = {base[place].kind for column in columns for place in _out_of_order(column)}
    if not mixed:
        return base
    members: dict[int, list[int]] = {kind: [] for kind in mixed}
    for place, file in enumerate(base):
        if file.kind in mixed:
            members[file.kind].append(place)
    first, last, wish = _bounds(base, columns, mixed)
    ordered = list(base)
    for kind_places in members.values():
        for place, taken_by in _handed_out(kind_places, first, last, wish):
            ordered[place] = base[taken_by]
    return ordered


def _out_of_order(column: Sequence[int]) -> list[int]:
    """The places that are not in a longest ascending selection from the column."""
    ends: list[int] = []
    lengths = []
    for place in column:
        length = bisect_left(ends, place)
        ends[length : length + 1] = [place]
        lengths.append(length)
    wanted = len(ends) - 1
    out = []
    for place, length in zip(reversed(column), reversed(lengths), strict=True):
        if length == wanted:
            wanted -= 1
        else:
            out.append(place)
    return out


def _bounds(
    base: list[TrialFile], columns: list[list[int]], mixed: set[int]
) -> tuple[dict[int, int], dict[int, int], dict[int, int]]:
    """For each mixed-up attempt, by its place in `base`: the places that it lies between, and the one it would take."""
    first: dict[int, int] = {}
    last: dict[int, int] = {}
    wish: dict[int, int] = {}
    for column in columns:
        loose = [place for place in column if base[place].kind in mixed]
        for place, wished in zip(loose, sorted(loose), strict=True):
            wish.setdefault(place, wished)
        before = -1
        for place in column:
            if base[place].kind in mixed:
                first[place] = max(before, first.get(place, -1))
            else:
                before = max(before, place)
        after = len(base)
        for place in reversed(column):
            if base[place].kind in mixed:
                last[place] = min(after, last.get(place, len(base)))
            else:
                after = min(after, place)
    return first, last, wish


def _handed_out(
    places: list[int], first: dict[int, int], last: dict[int, int], wish: dict[int, int]
) -> list[tuple[int, int]]:
    """Place and who takes it: of those that may, the one whose time runs out first. Nothing where it cannot be."""
    waiting = sorted(places, key=lambda place: first.get(place, -1), reverse=True)
    ready: list[tuple[float, int, int]] = []
    handed = []
    for place in places:
        while waiting and first.get(waiting[-1], -1) < place:
            taker = waiting.pop()
            heappush(ready, (last.get(taker, float("inf")), wish.get(taker, taker), taker))
        if not ready or ready[0][0] < place:
            return []
        handed.append((place, heappop(ready)[2]))
    return handed


def in_chains(base: list[TrialFile], chains: Iterable[Sequence[str]]) -> list[TrialFile]:
    """The trials so that each chain is in order, as near to `base` as a first-come choice keeps them."""
    places = {file.trial.name: place for place, file in enumerate(base)}
    followers: list[list[int]] = [[] for _ in base]
    waits = [0] * len(base)
    for chain in chains:
        for before, after in pairwise([places[name] for name in chain if name in places]):
            followers[before].append(after)
            waits[after] += 1
    free = [place for place, count in enumerate(waits) if not count]
    heapify(free)
    ordered = []
    while free:
        place = heappop(free)
        ordered.append(base[place])
        for after in followers[place]:
            waits[after] -= 1
            if not waits[after]:
                heappush(free, after)
    return ordered if len(ordered) == len(base) else base
