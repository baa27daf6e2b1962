"""Drafts a file of declared divergences from all that a run found.

Earlier entries stay as long as their witnesses diverge. For what diverges outside of their regions new ones are chosen,
so that few of them hold all of it, and as few other cases as can be.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import combinations
from pathlib import Path
from typing import Any

from parity.answers import Answer, Crash, NotClaimed
from parity.declared.declaration import Declaration, Declarations, entry_name, stands, told_answer
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


@dataclass(frozen=True)
class _Region:
    """What a new entry is to hold."""

    operation: str
    flags: Flags
    shared: Flags
    """The flags that all divergent cases in it carry."""

    witness: Sighting

    @property
    def name(self) -> str:
        return entry_name(self.operation, self.flags)

    @property
    def crashes(self) -> bool:
        return isinstance(self.witness.runner, Crash)


@dataclass
class Draft:
    """What a run that only drafts has seen."""

    earlier: tuple[Declaration, ...] = ()
    """Entries that are revised."""

    _kept: dict[str, Declaration] = field(default_factory=dict)
    """Earlier entries whose witnesses diverge, or were not asked, by name."""

    _dropped: dict[str, tuple[Declaration, str]] = field(default_factory=dict)
    """The others, and why they are."""

    _cases: defaultdict[str, _Cases] = field(default_factory=lambda: defaultdict(_Cases))
    _hangs: dict[str, list[Flags]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._kept = {entry.name: entry for entry in self.earlier}

    def revise(self, entry: Declaration, reference: Answer, runner: Answer) -> None:
        """Take down both answers to the witness of an earlier entry, which goes where they do not differ."""
        operation = OPERATIONS[entry.operation]
        if isinstance(runner, NotClaimed) or operation.compare(entry.witness, reference, runner) is None:
            why = "declines its witness" if isinstance(runner, NotClaimed) else "answers its witness as harbor does"
            self._dropped[entry.name] = self._kept.pop(entry.name), why
            return
        self._kept[entry.name] = replace(
            entry,
            reference=_now(operation, entry.witness, entry.reference, reference),
            runner=_now(operation, entry.witness, entry.runner, runner),
        )
        self.diverge(operation, entry.witness, reference, runner)

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

    def entries(self, explain: Explain) -> tuple[list[str], list[str]]:
        """The entries of the file, as text, and what became of earlier ones, a line each.

        Args:
            explain: says in one line which rule a divergent case breaks.
        """
        kept = Declarations(tuple(self._kept.values()))
        drafted = {
            region.name: region
            for name in OPERATIONS
            if name in self._cases
            for region in _drafted(name, self._cases[name], kept)
        }
        texts = [_again(entry) for name, entry in self._kept.items() if name not in drafted]
        texts += [_entry(region, self._about(region), explain) for region in drafted.values()]
        return texts, [*self._losses(drafted), *self._overlaps(drafted)]

    def _about(self, region: _Region) -> Declaration | None:
        """The narrowest earlier entry that held all that diverges there, whose class and reason are taken over.

        Why a runner crashes is another matter than why it answers otherwise.
        """
        holding = [
            entry
            for entry in self.earlier
            if entry.operation == region.operation
            and entry.flags <= region.shared
            and (entry.crashes == region.crashes or entry.name == region.name)
        ]
        return max(holding, key=lambda entry: len(entry.flags), default=None)

    def _losses(self, drafted: dict[str, _Region]) -> Iterator[str]:
        for name, (entry, why) in self._dropped.items():
            if name not in drafted:
                yield f"dropped {name}, because the runner {why}: {entry.class_}: {entry.reason}"

    def _overlaps(self, drafted: dict[str, _Region]) -> Iterator[str]:
        for name, region in drafted.items():
            for entry in self._kept.values():
                if entry.name == name:
                    yield f"{name} has another witness now: the runner crashes there"
                elif entry.operation == region.operation and region.flags < entry.flags:
                    yield f"new {name} holds {entry.name}, which stays"
                elif entry.operation == region.operation and entry.flags < region.flags:
                    yield f"new {name} lies in {entry.name}, which stays"


def _now(operation: Operation[Any], witness: Any, told: Json, answer: Answer) -> Json:
    """What a file is to hold for an answer: what it held, as long as that stands."""
    return told if stands(operation, witness, told, answer) else told_answer(operation.settle(witness, answer))


def _drafted(operation: str, cases: _Cases, kept: Declarations) -> Iterator[_Region]:
    """Regions that hold all divergent cases that no entry covers, each with the plainest of its cases.

    Crashes have regions of their own, in which nothing else will be asked.
    """
    left = {
        flags: sighting
        for flags, sighting in cases.shortest.items()
        if not kept.covering(operation, flags, sighting.runner)
    }
    divergent = Counter({flags: cases.divergent[flags] for flags in left})
    crashing = Counter({flags: divergent[flags] for flags in left if isinstance(left[flags].runner, Crash)})
    answering = divergent - crashing
    for region in regions(cases.agreeing + answering, crashing):
        yield _region(operation, region, cases, crashing)
        answering = Counter({flags: count for flags, count in answering.items() if not region <= flags})
    for region in regions(cases.agreeing, answering):
        yield _region(operation, region, cases, answering)


def _region(operation: str, region: Flags, cases: _Cases, among: Counter[Flags]) -> _Region:
    inside = [cases.shortest[flags] for flags in among if region <= flags]
    shared = frozenset.intersection(*(sighting.flags for sighting in inside))
    return _Region(operation, region, shared, min(inside, key=lambda sighting: sighting.hardness))


def _again(entry: Declaration) -> str:
    """An entry as it was."""
    operation = OPERATIONS[entry.operation]
    return _text(entry, operation.encode(entry.witness), entry.reference, entry.runner)


def _entry(region: _Region, earlier: Declaration | None, explain: Explain) -> str:
    operation, witness = OPERATIONS[region.operation], region.witness
    case = operation.decode(witness.case)
    class_ = earlier.class_ if earlier else "to-fix"
    reason = earlier.reason if earlier else explain(operation, case, witness.reference, witness.runner)
    about = Declaration(operation.name, region.flags, class_, reason, case, None, None, Path())
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
