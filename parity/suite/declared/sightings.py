"""Collects the cases of a drafting run, and finds regions for the divergent ones.

A region is a set of flags. Few regions cover all divergent cases, and as few other cases as possible.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import combinations

from parity.operations.answers import Answer
from parity.operations.wire import Json, canonical
from parity.suite.difference_kind import DIFFERENCE_KINDS, Grade
from parity.suite.harm import HARMS

type Flags = frozenset[str]


def regions(others: Counter[Flags], divergent: Counter[Flags]) -> list[Flags]:
    """Return few sets of flags, so that every divergent case carries all flags of at least one.

    The choice is greedy. Candidates are single flags, pairs, and all flags of a case. Each step takes the set that
    covers most of the remaining divergent cases and the smallest part of the others. Short sets are preferred, because
    they are easier to understand. No set contains another. A divergent case without flags needs the empty set, which
    covers everything.

    Args:
        others: the number of cases that need not be covered, by their flags.
        divergent: the number of cases that must be covered, by their flags.
    """
    if frozenset() in divergent:
        return [frozenset()]
    chosen: list[Flags] = []
    left = dict(divergent)
    while left:
        best = max(_candidates(left), key=lambda region: _worth(region, left, others, divergent))
        chosen.append(best)
        left = {flags: count for flags, count in left.items() if not best <= flags}
    return [region for region in chosen if not any(other < region for other in chosen)]


def _candidates(left: Iterable[Flags]) -> list[Flags]:
    found = {frozenset(some) for flags in left for size in (1, 2) for some in combinations(sorted(flags), size)}
    return sorted(found | set(left), key=lambda region: (len(region), sorted(region)))


def _worth(
    region: Flags, left: dict[Flags, int], others: Counter[Flags], divergent: Counter[Flags]
) -> tuple[float, int]:
    new = sum(count for flags, count in left.items() if region <= flags)
    wrong = sum(count for flags, count in divergent.items() if region <= flags)
    right = sum(count for flags, count in others.items() if region <= flags)
    return new * (wrong / (wrong + right) * 2 / max(2, len(region))) ** 2, -len(region)


@dataclass(frozen=True)
class Sighting:
    """A divergent case, with both answers to it."""

    case: Json
    flags: Flags
    reference: Answer
    runner: Answer

    @property
    def hardness(self) -> tuple[int, int]:
        """A sort key: cases with few flags come first, then short ones."""
        return len(self.flags), len(canonical(self.case))


@dataclass
class Cases:
    """All cases of an operation: counts by flags, and the simplest divergent case for each grade and set of flags."""

    drawn: Counter[frozenset[Flags]] = field(default_factory=Counter)
    """The number of generated cases, by the flags of each of their questions."""

    agreeing: Counter[Flags] = field(default_factory=Counter)
    divergent: defaultdict[Grade, Counter[Flags]] = field(default_factory=lambda: defaultdict(Counter))
    plainest: dict[tuple[Grade, Flags], Sighting] = field(default_factory=dict)

    def add(self, sighting: Sighting, grade: Grade) -> None:
        """Count a divergent case, and keep it if it is the simplest of its grade and flags."""
        key = grade, sighting.flags
        self.divergent[grade][sighting.flags] += 1
        if sighting.hardness < self.plainest.setdefault(key, sighting).hardness:
            self.plainest[key] = sighting

    def of_other_kinds(self, grade: Grade) -> Counter[Flags]:
        """Return the number of cases with another kind of difference, by their flags."""
        others: Counter[Flags] = Counter()
        for other, counts in self.divergent.items():
            if other.kind != grade.kind:
                others += counts
        return others

    def share(self, region: Flags) -> float:
        """Return the part of the generated cases in a region, from 0 to 1."""
        inside = sum(count for asked, count in self.drawn.items() if any(region <= flags for flags in asked))
        return inside / max(1, self.drawn.total())


@dataclass(frozen=True)
class Region:
    """The region, grade and witness of a new entry."""

    flags: Flags
    grade: Grade
    shared: Flags
    """The flags that all divergent cases of this grade in the region carry."""

    witness: Sighting


def new_regions(cases: Cases, kept: Iterable[tuple[Flags, Grade]]) -> list[Region]:
    """Return regions for all divergent cases that no kept entry allows, each with its simplest case.

    Crashes come first, then the worst harm of each kind, so that cases in those regions need no milder region.

    Args:
        cases: the cases of the run.
        kept: the regions of earlier entries, and the grade that passes in each.
    """
    held, found = list(kept), []
    for grade in sorted(cases.divergent, key=_place):
        divergent = cases.divergent[grade]
        left = Counter({flags: divergent[flags] for flags in divergent if not _is_held(flags, grade, held)})
        for region in regions(cases.agreeing + cases.of_other_kinds(grade), left):
            inside = [cases.plainest[grade, flags] for flags in left if region <= flags]
            shared = frozenset.intersection(*(sighting.flags for sighting in inside))
            found.append(Region(region, grade, shared, min(inside, key=lambda sighting: sighting.hardness)))
            held.append((region, grade))
    return found


def _place(grade: Grade) -> tuple[bool, int, int]:
    """Return a sort key: crashes first, then kind by kind, the worst harm first."""
    harm = 0 if grade.harm is None else list(HARMS).index(grade.harm)
    return grade.kind != "no-answer", list(DIFFERENCE_KINDS).index(grade.kind), harm


def _is_held(flags: Flags, grade: Grade, held: Iterable[tuple[Flags, Grade]]) -> bool:
    """Return whether a region allows a difference; a region of crashes allows any, because nothing is asked there."""
    return any(region <= flags and (allowed.kind == "no-answer" or allowed.allows(grade)) for region, allowed in held)
