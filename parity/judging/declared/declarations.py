"""The declared divergences of a run; finds the entries that allow a divergence, and the redundant ones."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from parity.judging.declared.declaration import Declaration
from parity.judging.declared.grade import Grade, grade_of
from parity.operations import OPERATIONS
from parity.operations.answers import Answer
from parity.operations.operation import Operation

type AskWitness = Callable[[Declaration], tuple[Answer, Answer]]
"""A function that asks the reference and the runner the witness of an entry."""


@dataclass(frozen=True)
class Declarations:
    """All entries of the run's files."""

    entries: tuple[Declaration, ...] = ()
    _learned: dict[str, Grade] = field(default_factory=dict, compare=False)
    """Grades of entries that do not hold the runner's exact answer, by name; each witness was asked to learn it."""

    def holding(self, operation: str, flags: frozenset[str]) -> list[Declaration]:
        """Return the entries with a region that contains a case."""
        return [entry for entry in self.entries if entry.operation == operation and entry.flags <= flags]

    def covering[Case](
        self, operation: Operation[Case], case: Case, expected: Answer, actual: Answer, ask_witness: AskWitness
    ) -> list[Declaration]:
        """Return the entries that allow the difference between two answers to a case."""
        holding = self.holding(operation.name, operation.flags(case)) if self.entries else []
        grade = grade_of(operation, case, expected, actual) if holding else None
        return [entry for entry in holding if grade and self._allowed_by(entry, ask_witness).allows(grade)]

    def _allowed_by(self, entry: Declaration, ask_witness: AskWitness) -> Grade:
        if entry.crashes or entry.harm:
            return entry.grade
        if entry.name not in self._learned:
            now = grade_of(OPERATIONS[entry.operation], entry.witness, *ask_witness(entry))
            self._learned[entry.name] = now or entry.grade
        return self._learned[entry.name]

    def skips(self, operation: str, flags: frozenset[str]) -> bool:
        """Return whether the runner is declared to crash on a case; asking it would cost a start or a time limit."""
        return any(entry.crashes for entry in self.holding(operation, flags))


def redundant(entries: Iterable[Declaration]) -> Iterator[tuple[Declaration, Declaration]]:
    """Yield each redundant entry, with the widest other entry that allows everything that it allows."""
    needed: list[Declaration] = []
    for entry in sorted(entries, key=lambda entry: (len(entry.flags), not entry.crashes)):
        wider = next((each for each in needed if each.holds(entry)), None)
        if wider:
            yield entry, wider
        else:
            needed.append(entry)
