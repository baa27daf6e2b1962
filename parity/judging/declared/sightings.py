"""The cases of an operation that a drafting run has seen, and the regions that hold those that diverge."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from parity.judging.declared.grade import Grade
from parity.judging.declared.regions import Flags, regions
from parity.judging.difference_kind import DIFFERENCE_KINDS
from parity.judging.harm import HARMS
from parity.operations.answers import Answer
from parity.operations.wire import Json, canonical


@dataclass(frozen=True)
class Sighting:
    """A divergent case, with both answers to it."""

    case: Json
    flags: Flags
    reference: Answer
    runner: Answer

    @property
    def hardness(self) -> tuple[int, int]:
        """Cases with few flags are plainer, and short ones."""
        return len(self.flags), len(canonical(self.case))


@dataclass
class Cases:
    """All cases of an operation, by their flags: how many, and of those that diverge the plainest of each grade."""

    drawn: Counter[frozenset[Flags]] = field(default_factory=Counter)
    """Generated cases, by the flags of each of their questions."""

    agreeing: Counter[Flags] = field(default_factory=Counter)
    divergent: defaultdict[Grade, Counter[Flags]] = field(default_factory=lambda: defaultdict(Counter))
    plainest: dict[tuple[Grade, Flags], Sighting] = field(default_factory=dict)

    def add(self, sighting: Sighting, grade: Grade) -> None:
        """Count a case that diverges."""
        key = grade, sighting.flags
        self.divergent[grade][sighting.flags] += 1
        if sighting.hardness < self.plainest.setdefault(key, sighting).hardness:
            self.plainest[key] = sighting

    def of_other_kinds(self, grade: Grade) -> Counter[Flags]:
        """The cases that diverge in another way."""
        others: Counter[Flags] = Counter()
        for other, counts in self.divergent.items():
            if other.kind != grade.kind:
                others += counts
        return others

    def share(self, region: Flags) -> float:
        """Which part of the generated cases lies in a region, from 0 to 1."""
        inside = sum(count for asked, count in self.drawn.items() if any(region <= flags for flags in asked))
        return inside / max(1, self.drawn.total())


@dataclass(frozen=True)
class Region:
    """What a new entry is to hold."""

    flags: Flags
    grade: Grade
    shared: Flags
    """The flags that all divergent cases of the grade in it carry."""

    witness: Sighting


def new_regions(cases: Cases, kept: Iterable[tuple[Flags, Grade]]) -> list[Region]:
    """Regions that hold all divergent cases that no kept one does, each with the plainest of its cases.

    Crashes come first, then of each kind the worst harm, so that what a worse region holds needs no other.

    Args:
        cases: what was seen.
        kept: the regions of earlier entries, and what passes in each.
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
    """Where a grade comes: crashes, then kind by kind, the worst harm first."""
    harm = 0 if grade.harm is None else list(HARMS).index(grade.harm)
    return grade.kind != "no-answer", list(DIFFERENCE_KINDS).index(grade.kind), harm


def _is_held(flags: Flags, grade: Grade, held: Iterable[tuple[Flags, Grade]]) -> bool:
    """Whether a difference passes in one of some regions; where a runner is declared to crash, nothing is asked."""
    return any(region <= flags and (allowed.kind == "no-answer" or allowed.allows(grade)) for region, allowed in held)
