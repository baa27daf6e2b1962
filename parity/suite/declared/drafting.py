"""Drafts a file of declared divergences from the divergences of a run.

Earlier entries stay as long as their witnesses diverge. New entries are chosen for divergences that the earlier ones do
not allow: few entries, with as few other cases in their regions as possible.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from parity.operations import OPERATIONS
from parity.operations.answers import Answer, Crash, NotClaimed
from parity.operations.operation import Operation
from parity.operations.wire import Json
from parity.suite.declared.declaration import Declaration, answer_json, entry_name, redundant, stands
from parity.suite.declared.sightings import Cases, Flags, Region, Sighting, new_regions
from parity.suite.declared.writing import entry_text
from parity.suite.difference_kind import grade_of

type Explain = Callable[[Operation[Any], Any, Answer, Answer], str]

MOST = 0.5
"""The part of the generated cases above which a region gets a warning."""


@dataclass
class Draft:
    """The cases of a run that drafts a file instead of judging."""

    earlier: tuple[Declaration, ...] = ()
    """The entries to revise."""

    _kept: dict[str, Declaration] = field(default_factory=dict)
    """Earlier entries that stay, by their earlier names: their witnesses diverge, or were not asked."""

    _dropped: dict[str, str] = field(default_factory=dict)
    """A note on each earlier entry that is dropped, by the entry's name."""

    _changed: list[str] = field(default_factory=list)
    """Notes on entries that stay but changed."""

    _cases: defaultdict[str, Cases] = field(default_factory=lambda: defaultdict(Cases))
    _hangs: dict[str, list[Flags]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._kept = {entry.name: entry for entry in self.earlier}

    def revise(self, entry: Declaration, reference: Answer, runner: Answer) -> None:
        """Record both answers to the witness of an earlier entry, and drop the entry if they agree."""
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
            self._changed.append(f"{entry.name} is now {now.name}, because its witness diverges in another way")
        elif entry.harm and now.harm and not entry.grade.allows(grade):
            self._changed.append(f"{entry.name} does more harm now: {now.harm}, not {entry.harm}")
        self.diverge(operation, entry.witness, reference, runner)

    def draw(self, operation: Operation[Any], asked: Iterable[Flags]) -> None:
        """Count a generated case, by the flags of each of its questions."""
        self._cases[operation.name].drawn[frozenset(asked)] += 1

    def agree[Case](self, operation: Operation[Case], case: Case) -> None:
        """Record a case with equal answers."""
        self._cases[operation.name].agreeing[operation.flags(case)] += 1

    def diverge[Case](self, operation: Operation[Case], case: Case, reference: Answer, runner: Answer) -> None:
        """Record a case with different answers."""
        sighting = Sighting(operation.encode(case), operation.flags(case), reference, runner)
        grade = grade_of(operation, case, reference, runner)
        assert grade is not None
        self._cases[operation.name].add(sighting, grade)
        if isinstance(runner, Crash) and runner.hung:
            self._hangs.setdefault(operation.name, []).append(sighting.flags)

    def skips[Case](self, operation: Operation[Case], case: Case) -> bool:
        """Return whether the runner hung on a case with the same flags or some of them; asking costs a time limit."""
        hangs = self._hangs.get(operation.name)
        if not hangs:
            return False
        flags = operation.flags(case)
        return any(hang == flags or (hang and hang <= flags) for hang in hangs)

    def entries(self, explain: Explain) -> tuple[list[str], list[str]]:
        """Return the entries of the file as text, and notes for the user, a line each.

        Args:
            explain: returns one line about a divergent case, which names the broken rule.
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
        """Return a new entry, with the class and the reason of an earlier one about the same divergence."""
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
        """Return the narrowest earlier entry that allowed the divergences of a region, or None.

        A dated entry allowed every kind of difference. Its reason is reused only from crash to crash, or from answer to
        answer.
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
        """Return a warning if the region of an entry holds most cases of its operation, else None."""
        share = self._cases[entry.operation].share(entry.flags) if entry.operation in self._cases else 0.0
        if share <= MOST:
            return None
        return f"it holds {share:.0%} of the generated cases of {entry.operation}, where a new fault would pass with it"


def _dropped(entry: Declaration, why: str) -> str:
    return f"dropped {entry.name}, because {why}: {entry.class_}: {entry.reason}"


def _beyond(drafted: Iterable[Declaration], kept: Iterable[Declaration]) -> Iterator[str]:
    """Yield a note on each new entry in the region of a kept one that does not allow its divergences."""
    stated = [entry for entry in kept if not entry.is_dated]
    for new in drafted:
        for entry in stated:
            if entry.name == new.name:
                yield f"{new.name} has a new witness, which does more harm: {new.harm}, not {entry.harm}"
            elif entry.operation == new.operation and entry.flags <= new.flags:
                yield f"new {new.name} lies in {entry.name}, which does not allow it"


def _now(operation: Operation[Any], witness: Any, stated: Json, answer: Answer) -> Json:
    """Return the answer for the file: the stated one as long as it stands, else the new one."""
    return (
        stated
        if stands(operation, witness, stated, answer)
        else answer_json(operation, operation.settle(witness, answer))
    )
