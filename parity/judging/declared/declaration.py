"""One declared divergence.

An entry says which kind of difference passes in its region. The worst harm that passes is that of its witness: both
answers stand in the entry and are held to it in every run, so a key for the harm could only repeat or contradict them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from parity.judging.declared.grade import Grade
from parity.judging.difference_kind import DifferenceKind
from parity.judging.harm import Harm
from parity.operations import OPERATIONS
from parity.operations.answer_wire import decode_answer
from parity.operations.answers import Answer, Fault, NotClaimed, Value
from parity.operations.compare import compare_answers
from parity.operations.operation import Operation
from parity.operations.wire import Json, WireError, canonical, encode

CLASSES = {
    "to-fix": "the runner is wrong, and will be mended",
    "by-design": "the runner means to differ",
    "reference-bug": "Harbor is wrong",
}
"""What an entry can be, with what that says."""


class DeclarationsError(Exception):
    """A file of declared divergences that cannot be used; one line that says why."""


@dataclass(frozen=True)
class Declaration:
    """One entry of a file."""

    operation: str
    flags: frozenset[str]
    """The region: every case of the operation that carries all of these."""

    difference: DifferenceKind
    """The kind of difference that passes there."""

    harm: Harm | None
    """The worst harm that passes, that of the witness; None where the runner's answer is not written down exactly."""

    class_: str
    reason: str
    witness: Any
    """A case in the region."""

    reference: Json
    runner: Json
    """Both answers to the witness, as `answer_json` writes them."""

    path: Path
    lines: Mapping[str, int] = field(default_factory=dict)
    """The line of each key in the file, and under the empty key that of the entry's head."""

    is_dated: bool = False
    """Whether the file has no kind of difference, as files once had none, so that the reason is about all kinds."""

    @property
    def name(self) -> str:
        """What the entry is called: its operation, its flags and its kind of difference."""
        return entry_name(self.operation, self.flags, self.difference)

    @property
    def crashes(self) -> bool:
        """Whether the runner gives no answer to the witness."""
        return self.difference == "no-answer"

    @property
    def grade(self) -> Grade:
        """What passes in the region; where the harm is not known, as little as can be."""
        return Grade(self.difference, None if self.crashes else self.harm or "form")

    def holds(self, other: "Declaration") -> bool:
        """Whether nothing is left that another entry allows alone; where this one crashes, nothing else is asked."""
        if self.operation != other.operation or not self.flags <= other.flags:
            return False
        known = other.harm is not None
        return self.crashes or self.name == other.name or (known and self.grade.allows(other.grade))

    def at(self, key: str = "") -> str:
        """Where a key of the entry stands."""
        return f"{self.path}:{self.lines.get(key, 1)}"


def entry_name(operation: str, flags: frozenset[str], kind: DifferenceKind) -> str:
    """What an entry with that region and that kind of difference is called."""
    return f"{operation}[{','.join(sorted(flags)) or 'any'}] {kind}"


def answer_json(operation: Operation[Any], answer: Answer) -> Json:
    """An answer as a file of declarations holds it: of one that no JSON gives back exactly, only the type."""
    match answer:
        case Value(value, changed):
            try:
                stated: Json = {"value": encode(value), **_side_effect(changed)}
                is_exact = compare_answers(decode_answer(operation, stated), Value(value)) is None
            except (WireError, RecursionError):
                is_exact = False
            return stated if is_exact else {"unusual": type(value).__name__}
        case Fault(kind, _, changed):
            return {"fault": {"kind": kind}, **_side_effect(changed)}
        case _:
            return {"crash": True}


def _side_effect(changed: str) -> dict[str, Json]:
    """What is held of an answer whose call changed what the runner was given."""
    return {"changed": True} if changed else {}


def stands(operation: Operation[Any], case: object, stated: Json, answer: Answer) -> bool:
    """Whether an answer is still what the file says it is."""
    if isinstance(answer, NotClaimed):
        return False
    match stated:
        case {"value": _} | {"fault": _}:
            declared = decode_answer(operation, stated)
            if isinstance(declared, Value | Fault) and isinstance(stated, dict) and "changed" in stated:
                declared = replace(declared, changed="as declared")
            return operation.compare(case, declared, answer) is None
    return canonical(stated) == canonical(answer_json(operation, answer))


def check_answer_json(operation: str, stated: Json, key: str) -> None:
    """See that a file's answer can be one: Harbor's a value or a fault, a runner's also a crash.

    Raises:
        WireError: it cannot.
    """
    match stated:
        case {"value": _, **rest} | {"fault": {"kind": str()}, **rest} if not rest or (
            key == "runner" and rest == {"changed": True}
        ):
            decode_answer(OPERATIONS[operation], stated)
        case {"unusual": str(), **rest} | {"crash": True, **rest} if not rest and key == "runner":
            pass
        case _:
            raise WireError("an answer takes a value, or a fault with a kind")
