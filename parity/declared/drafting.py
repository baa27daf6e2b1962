"""Drafts a file of declared divergences from all that a run found.

Regions are chosen so that few of them hold all divergent cases, and as few others as can be.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Any

from parity.answers import Answer, Crash
from parity.declared.declaration import Declaration, entry_name, told_answer
from parity.declared.reading import HEAD
from parity.operations import OPERATIONS, Operation
from parity.wire import Json, canonical

_TOML_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t"}

type Flags = frozenset[str]
type Explain = Callable[[Operation[Any], Any, Answer, Answer], str]


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
class _Cases:
    """All cases of an operation, by their flags: how many, and of those that diverge the shortest."""

    agreeing: Counter[Flags] = field(default_factory=Counter)
    divergent: Counter[Flags] = field(default_factory=Counter)
    shortest: dict[Flags, Sighting] = field(default_factory=dict)


@dataclass
class Draft:
    """What a run that only drafts has seen."""

    earlier: tuple[Declaration, ...] = ()
    """Entries whose classes and reasons are kept."""

    _cases: defaultdict[str, _Cases] = field(default_factory=lambda: defaultdict(_Cases))
    _hangs: dict[str, list[Flags]] = field(default_factory=dict)

    def agree[Case](self, operation: Operation[Case], case: Case) -> None:
        """Take down a case on which both sides agree."""
        self._cases[operation.name].agreeing[operation.flags(case)] += 1

    def diverge[Case](self, operation: Operation[Case], case: Case, reference: Answer, runner: Answer) -> None:
        """Take down a case on which they do not."""
        sighting = Sighting(operation.encode(case), operation.flags(case), reference, runner)
        cases = self._cases[operation.name]
        cases.divergent[sighting.flags] += 1
        if isinstance(runner, Crash) and runner.hung:
            self._hangs.setdefault(operation.name, []).append(sighting.flags)
        shortest = cases.shortest.setdefault(sighting.flags, sighting)
        crashes = isinstance(runner, Crash), isinstance(shortest.runner, Crash)
        if crashes == (True, False) or (len(set(crashes)) == 1 and sighting.hardness < shortest.hardness):
            cases.shortest[sighting.flags] = sighting

    def spare[Case](self, operation: Operation[Case], case: Case) -> bool:
        """Whether the runner has hung on a case with no other flags than these: to ask it would cost a time limit."""
        hangs = self._hangs.get(operation.name)
        if not hangs:
            return False
        flags = operation.flags(case)
        return any(hang == flags or (hang and hang <= flags) for hang in hangs)

    def entries(self, explain: Explain, *, complete: bool) -> list[str]:
        """The entries of the file, as text.

        Args:
            explain: says in one line which rule a divergent case breaks.
            complete: whether earlier entries of whose region nothing was seen can go.
        """
        kept = {entry.name: entry for entry in self.earlier}
        drafted = {
            entry_name(name, region): _entry(OPERATIONS[name], region, witness, kept, explain)
            for name in OPERATIONS
            if name in self._cases
            for region, witness in _witnessed(self._cases[name])
        }
        unseen = [] if complete else [entry for entry in self.earlier if entry.name not in drafted]
        return [*drafted.values(), *map(_again, unseen)]


def _witnessed(cases: _Cases) -> Iterator[tuple[Flags, Sighting]]:
    """Regions that hold all divergent cases, each with the plainest of its cases.

    Crashes have regions of their own, in which nothing else will be asked.
    """
    crashes = [flags for flags, sighting in cases.shortest.items() if isinstance(sighting.runner, Crash)]
    crashing = Counter({flags: cases.divergent[flags] for flags in crashes})
    answering = cases.divergent - crashing
    for region in regions(cases.agreeing + answering, crashing):
        yield region, _plainest(region, cases, crashing)
        answering = Counter({flags: count for flags, count in answering.items() if not region <= flags})
    for region in regions(cases.agreeing, answering):
        yield region, _plainest(region, cases, answering)


def _plainest(region: Flags, cases: _Cases, among: Counter[Flags]) -> Sighting:
    inside = [cases.shortest[flags] for flags in among if region <= flags]
    return min(inside, key=lambda sighting: sighting.hardness)


def _again(entry: Declaration) -> str:
    """An entry as it was."""
    operation = OPERATIONS[entry.operation]
    return _text(entry, operation.encode(entry.witness), entry.reference, entry.runner)


def _entry(
    operation: Operation[Any], region: Flags, witness: Sighting, kept: dict[str, Declaration], explain: Explain
) -> str:
    earlier = kept.get(entry_name(operation.name, region))
    case = operation.decode(witness.case)
    about = earlier or Declaration(
        operation.name,
        region,
        "to-fix",
        explain(operation, case, witness.reference, witness.runner),
        case,
        None,
        None,
        Path(),
    )
    reference = operation.settle(case, witness.reference)
    return _text(about, witness.case, told_answer(reference), told_answer(witness.runner))


def _text(about: Declaration, witness: Json, reference: Json, runner: Json) -> str:
    lines = [
        HEAD,
        f'operation = "{about.operation}"',
        f"flags = [{', '.join(f'"{flag}"' for flag in sorted(about.flags))}]",
        f'class = "{about.class_}"',
        f"reason = {toml_text(about.reason)}",
        f"witness = {toml_json(witness)}",
        f"reference = {toml_json(reference)}",
        f"runner = {toml_json(runner)}",
    ]
    return "\n".join(["", *lines, ""])


def regions(agreeing: Counter[Flags], divergent: Counter[Flags]) -> list[Flags]:
    """Few sets of flags, so that every divergent case carries all flags of one.

    Greedy: next comes the set, of one flag or two or all that a case has, that holds most of what is left, and the
    smallest part of agreeing cases. Cases without flags need the empty set, which holds everything; it comes last.
    """
    chosen: list[Flags] = []
    left = {flags: count for flags, count in divergent.items() if flags}
    while left:
        best = max(_candidates(left), key=lambda region: _worth(region, left, agreeing, divergent))
        chosen.append(best)
        left = {flags: count for flags, count in left.items() if not best <= flags}
    return chosen + ([frozenset()] if frozenset() in divergent else [])


def _candidates(left: Iterable[Flags]) -> list[Flags]:
    found = {frozenset(some) for flags in left for size in (1, 2) for some in combinations(sorted(flags), size)}
    return sorted(found | set(left), key=lambda region: (len(region), sorted(region)))


def _worth(
    region: Flags, left: dict[Flags, int], agreeing: Counter[Flags], divergent: Counter[Flags]
) -> tuple[float, int]:
    new = sum(count for flags, count in left.items() if region <= flags)
    wrong = sum(count for flags, count in divergent.items() if region <= flags)
    right = sum(count for flags, count in agreeing.items() if region <= flags)
    return new * (wrong / (wrong + right)) ** 2, -len(region)


def toml_json(value: Json) -> str:
    """A JSON value as a text in TOML, on one line."""
    text = canonical(value)
    return toml_text(text) if "'" in text or "\x7f" in text else f"'{text}'"


def toml_text(text: str) -> str:
    """A text in TOML, on one line. TOML has no halves of surrogate pairs; they stand as text."""
    sound = text.encode(errors="backslashreplace").decode()
    return '"' + "".join(_TOML_ESCAPES.get(each) or _toml_escaped(each) for each in sound) + '"'


def _toml_escaped(character: str) -> str:
    return character if character.isprintable() else f"\\U{ord(character):08x}"
