"""Declared divergences: one entry of a file, and all entries of a run.

An entry names the kind of difference that passes in its region. The worst harm that passes is the harm of its witness.
There is no key for it: the entry holds both answers to the witness, and every run checks them.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from parity.operations import OPERATIONS
from parity.operations.answers import Answer, Fault, NotClaimed, Value
from parity.operations.compare import compare_answers
from parity.operations.operation import Operation, decode_answer
from parity.operations.wire import Json, WireError, canonical, encode
from parity.suite.difference_kind import DifferenceKind, Grade, grade_of
from parity.suite.harm import Harm

CLASSES = {
    "to-fix": "the runner is wrong, and will be mended",
    "by-design": "the runner means to differ",
    "reference-bug": "Harbor is wrong",
}
"""The classes of an entry, and their meaning."""


class DeclarationsError(Exception):
    """A file of declared divergences cannot be used; one line says why."""


@dataclass(frozen=True)
class Declaration:
    """One entry of a file."""

    operation: str
    flags: frozenset[str]
    """The region: all cases of the operation that carry all of these flags."""

    difference: DifferenceKind
    """The kind of difference that passes in the region."""

    harm: Harm | None
    """The worst harm that passes, the witness's; None if the file does not hold the runner's exact answer."""

    class_: str
    reason: str
    witness: Any
    """A case in the region."""

    reference: Json
    runner: Json
    """Both answers to the witness, as `answer_json` writes them."""

    path: Path
    lines: Mapping[str, int] = field(default_factory=dict)
    """The line of each key in the file; the empty key has the line of the entry's head."""

    is_dated: bool = False
    """Whether the entry comes from an old file, without a kind of difference; then its reason is about all kinds."""

    @property
    def name(self) -> str:
        """The name of the entry: its operation, its flags and its kind of difference."""
        return entry_name(self.operation, self.flags, self.difference)

    @property
    def crashes(self) -> bool:
        """Whether the runner gives no answer to the witness."""
        return self.difference == "no-answer"

    @property
    def grade(self) -> Grade:
        """The grade that passes in the region; the mildest harm if the harm is not known."""
        return Grade(self.difference, None if self.crashes else self.harm or "form")

    def holds(self, other: "Declaration") -> bool:
        """Return whether this entry allows all that another one allows; a crash here covers the whole region."""
        if self.operation != other.operation or not self.flags <= other.flags:
            return False
        known = other.harm is not None
        return self.crashes or self.name == other.name or (known and self.grade.allows(other.grade))

    def at(self, key: str = "") -> str:
        """Return the file and line of a key, or of the entry's head."""
        return f"{self.path}:{self.lines.get(key, 1)}"


def entry_name(operation: str, flags: frozenset[str], kind: DifferenceKind) -> str:
    """Return the name of an entry with a region and a kind of difference."""
    return f"{operation}[{','.join(sorted(flags)) or 'any'}] {kind}"


def answer_json(operation: Operation[Any], answer: Answer) -> Json:
    """Return the form of an answer in a file of declarations: only its type if JSON cannot represent it exactly."""
    match answer:
        case Value(value):
            try:
                stated: Json = {"value": encode(value)}
                is_exact = compare_answers(decode_answer(operation, stated), Value(value)) is None
            except (WireError, RecursionError):
                is_exact = False
            return stated if is_exact else {"unusual": type(value).__name__}
        case Fault(kind, _):
            return {"fault": {"kind": kind}}
        case _:
            return {"crash": True}


def stands(operation: Operation[Any], case: object, stated: Json, answer: Answer) -> bool:
    """Return whether an answer is still the answer in the file."""
    if isinstance(answer, NotClaimed):
        return False
    match stated:
        case {"value": _} | {"fault": _}:
            return operation.compare(case, decode_answer(operation, stated), answer) is None
    return canonical(stated) == canonical(answer_json(operation, answer))


def check_answer_json(operation: str, stated: Json, key: str) -> None:
    """Check the form of an answer in a file: a value or a fault; the runner's may also be a crash or only a type.

    Raises:
        WireError: the answer has another form.
    """
    match stated:
        case {"value": _, **rest} | {"fault": {"kind": str()}, **rest} if not rest:
            decode_answer(OPERATIONS[operation], stated)
        case {"unusual": str(), **rest} | {"crash": True, **rest} if not rest and key == "runner":
            pass
        case _:
            raise WireError("an answer takes a value, or a fault with a kind")


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
