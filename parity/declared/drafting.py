"""Drafts a file of declared divergences from all that a run found.

Regions are chosen so that few of them hold all divergent cases, and as few others as can be.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from parity.answers import Answer, Crash
from parity.declared.declaration import Declaration, entry_name, told_answer
from parity.declared.reading import HEAD
from parity.operations import OPERATIONS, Operation
from parity.wire import Json, canonical

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
        if sighting.hardness < shortest.hardness:
            cases.shortest[sighting.flags] = sighting

    def spare[Case](self, operation: Operation[Case], case: Case) -> bool:
        """Whether the runner has hung on a case with no other flags than these: to ask it would cost a time limit."""
        hangs = self._hangs.get(operation.name)
        return hangs is not None and any(hang <= operation.flags(case) for hang in hangs)

    def entries(self, explain: Explain) -> list[str]:
        """The entries of the file, as text.

        Args:
            explain: says in one line which rule a divergent case breaks.
        """
        kept = {entry.name: entry for entry in self.earlier}
        return [
            _entry(OPERATIONS[name], region, witness, kept, explain)
            for name in OPERATIONS
            if name in self._cases
            for region, witness in _witnessed(self._cases[name])
        ]


def _witnessed(cases: _Cases) -> Iterator[tuple[Flags, Sighting]]:
    """Regions that hold all divergent cases, each with the plainest of its cases."""
    for region in regions(cases.agreeing, cases.divergent):
        inside = [sighting for flags, sighting in cases.shortest.items() if region <= flags]
        yield region, min(inside, key=lambda sighting: sighting.hardness)


def _entry(
    operation: Operation[Any], region: Flags, witness: Sighting, kept: dict[str, Declaration], explain: Explain
) -> str:
    flags = ", ".join(f'"{flag}"' for flag in sorted(region))
    earlier = kept.get(entry_name(operation.name, region))
    case = operation.decode(witness.case)
    reason = earlier.reason if earlier else explain(operation, case, witness.reference, witness.runner)
    reference = operation.settle(case, witness.reference)
    lines = [
        HEAD,
        f'operation = "{operation.name}"',
        f"flags = [{flags}]",
        f'class = "{earlier.class_ if earlier else "to-fix"}"',
        f"reason = {toml_text(reason)}",
        f"witness = {toml_json(witness.case)}",
        f"reference = {toml_json(told_answer(reference))}",
        f"runner = {toml_json(told_answer(witness.runner))}",
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
    """A text in TOML, on one line."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(each if each.isprintable() else f"\\\\u{ord(each):04x}" for each in escaped) + '"'
