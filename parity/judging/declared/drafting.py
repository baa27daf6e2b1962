"""Drafts a file of declared divergences from all that a run found.

Earlier entries stay as long as their witnesses diverge. For what they do not allow new ones are chosen, so that few of
them hold all of it, and as few other cases as can be.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from parity.judging.declared.declaration import Declaration, answer_json, entry_name, stands
from parity.judging.declared.declarations import redundant
from parity.judging.declared.grade import grade_of
from parity.judging.declared.regions import Flags
from parity.judging.declared.sightings import Cases, Region, Sighting, new_regions
from parity.judging.declared.writing import entry_text
from parity.operations import OPERATIONS
from parity.operations.answers import Answer, Crash, NotClaimed
from parity.operations.operation import Operation
from parity.operations.wire import Json

type Explain = Callable[[Operation[Any], Any, Answer, Answer], str]

MOST = 0.5
"""A region that holds a larger part of the generated cases than this is warned of."""


@dataclass
class Draft:
    """What a run that only drafts has seen."""

    earlier: tuple[Declaration, ...] = ()
    """Entries that are revised."""

    _kept: dict[str, Declaration] = field(default_factory=dict)
    """Earlier entries whose witnesses diverge, or were not asked, by the names that they had."""

    _dropped: dict[str, str] = field(default_factory=dict)
    """By the names of the others, what is to be said of each."""

    _changed: list[str] = field(default_factory=list)
    """What is to be said of kept ones that are not what they were."""

    _cases: defaultdict[str, Cases] = field(default_factory=lambda: defaultdict(Cases))
    _hangs: dict[str, list[Flags]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._kept = {entry.name: entry for entry in self.earlier}

    def revise(self, entry: Declaration, reference: Answer, runner: Answer) -> None:
        """Record both answers to the witness of an earlier entry, which goes where they do not differ."""
        operation = OPERATIONS[entry.operation]
        grade = None if isinstance(runner, NotClaimed) else grade_of(operation, entry.witness, reference, runner)
        if grade is None:
            same = f"answers its witness as {operation.authority(operation.flags(entry.witness))} does"
            why = "declines its witness" if isinstance(runner, NotClaimed) else same
            self._dropped[entry.name] = _dropped(self._kept.pop(entry.name), f"the runner {why}")
            return
        self._kept[entry.name] = now = replace(
            entry,
            difference=grade.kind,
            harm=grade.harm,
            reference=_now(operation, entry.witness, entry.reference, reference),
            runner=_now(operation, entry.witness, entry.runner, runner),
        )
        if now.name != entry.name:
            self._changed.append(f"{entry.name} is {now.name} now, as its witness diverges")
        elif entry.harm and now.harm and not entry.grade.allows(grade):
            self._changed.append(f"{entry.name} does more harm now: {now.harm}, not {entry.harm}")
        self.diverge(operation, entry.witness, reference, runner)

    def draw(self, operation: Operation[Any], asked: Iterable[Flags]) -> None:
        """Count a generated case, by the flags of each of its questions."""
        self._cases[operation.name].drawn[frozenset(asked)] += 1

    def agree[Case](self, operation: Operation[Case], case: Case) -> None:
        """Record a case on which both sides agree."""
        self._cases[operation.name].agreeing[operation.flags(case)] += 1

    def diverge[Case](self, operation: Operation[Case], case: Case, reference: Answer, runner: Answer) -> None:
        """Record a case on which they do not."""
        sighting = Sighting(operation.encode(case), operation.flags(case), reference, runner)
        grade = grade_of(operation, case, reference, runner)
        assert grade is not None
        self._cases[operation.name].add(sighting, grade)
        if isinstance(runner, Crash) and runner.hung:
            self._hangs.setdefault(operation.name, []).append(sighting.flags)

    def skips[Case](self, operation: Operation[Case], case: Case) -> bool:
        """Whether the runner has hung on a case with no other flags than these: to ask it would cost a time limit."""
        hangs = self._hangs.get(operation.name)
        if not hangs:
            return False
        flags = operation.flags(case)
        return any(hang == flags or (hang and hang <= flags) for hang in hangs)

    def entries(self, explain: Explain) -> tuple[list[str], list[str]]:
        """The entries of the file, as text, and what a reader should know of them, a line each.

        Args:
            explain: says in one line which rule a divergent case breaks.
        """
        kept = list(self._kept.values())
        drafted = {
            entry.name: entry
            for name in OPERATIONS
            if name in self._cases
            for region in new_regions(
                self._cases[name], [(entry.flags, entry.grade) for entry in kept if entry.operation == name]
            )
            for entry in [self._entry(name, region, explain)]
        }
        dropped = [stated for name, stated in self._dropped.items() if name not in drafted]
        notes = [*dropped, *self._changed, *_beyond(drafted.values(), kept)]
        written = [*(entry for entry in kept if entry.name not in drafted), *drafted.values()]
        for entry, wider in redundant(written):
            written.remove(entry)
            notes.append(_dropped(entry, f"{wider.name} allows as much"))
        wide = {entry.name: warning for entry in written if (warning := self._warning(entry))}
        texts = [entry_text(entry, [wide[entry.name]] if entry.name in wide else []) for entry in written]
        return texts, [*notes, *(f"{name}: {warning}" for name, warning in wide.items())]

    def _entry(self, operation: str, region: Region, explain: Explain) -> Declaration:
        """A new entry, with the class and the reason of an earlier one that was about the same."""
        asked, witness = OPERATIONS[operation], region.witness
        case = asked.decode(witness.case)
        earlier = self._about(operation, region)
        return Declaration(
            operation,
            region.flags,
            region.grade.kind,
            region.grade.harm,
            earlier.class_ if earlier else "to-fix",
            earlier.reason if earlier else explain(asked, case, witness.reference, witness.runner),
            case,
            answer_json(asked, asked.settle(case, witness.reference)),
            answer_json(asked, witness.runner),
            Path(),
        )

    def _about(self, operation: str, region: Region) -> Declaration | None:
        """The narrowest earlier entry that allowed all that diverges there.

        A dated one allowed every kind, but why a runner crashes is another matter than why it answers otherwise.
        """
        name = entry_name(operation, region.flags, region.grade.kind)
        crashes = region.grade.kind == "no-answer"
        holding = [
            entry
            for entry in self.earlier
            if entry.operation == operation
            and entry.flags <= region.shared
            and (
                entry.name == name or (entry.crashes == crashes if entry.is_dated else entry.grade.allows(region.grade))
            )
        ]
        return max(holding, key=lambda entry: (len(entry.flags), entry.flags <= region.flags), default=None)

    def _warning(self, entry: Declaration) -> str | None:
        """What is to be said of an entry whose region holds most cases of its operation."""
        share = self._cases[entry.operation].share(entry.flags) if entry.operation in self._cases else 0.0
        if share <= MOST:
            return None
        return f"it holds {share:.0%} of the generated cases of {entry.operation}, where a new fault would pass with it"


def _dropped(entry: Declaration, why: str) -> str:
    return f"dropped {entry.name}, because {why}: {entry.class_}: {entry.reason}"


def _beyond(drafted: Iterable[Declaration], kept: Iterable[Declaration]) -> Iterator[str]:
    """What diverges in the regions of kept entries, but not as they allow."""
    stated = [entry for entry in kept if not entry.is_dated]
    for new in drafted:
        for entry in stated:
            if entry.name == new.name:
                yield f"{new.name} has another witness now, which does more harm: {new.harm}, not {entry.harm}"
            elif entry.operation == new.operation and entry.flags <= new.flags:
                yield f"new {new.name} lies in {entry.name}, which does not allow it"


def _now(operation: Operation[Any], witness: Any, stated: Json, answer: Answer) -> Json:
    """What a file is to hold for an answer: what it held, as long as that stands."""
    return (
        stated
        if stands(operation, witness, stated, answer)
        else answer_json(operation, operation.settle(witness, answer))
    )
