"""One declared divergence, and all of a run."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from parity.answers import Answer, Crash, Fault, NotClaimed, Value
from parity.operations import OPERATIONS, Operation
from parity.replay import decode_answer
from parity.wire import Json, WireError, canonical, encode

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

    class_: str
    reason: str
    witness: Any
    """A case in the region."""

    reference: Json
    runner: Json
    """Both answers to the witness, as `told_answer` writes them."""

    path: Path
    lines: Mapping[str, int] = field(default_factory=dict)
    """The line of each key in the file, and under the empty key that of the entry's head."""

    @property
    def name(self) -> str:
        """What the entry is called: its operation and its flags."""
        return entry_name(self.operation, self.flags)

    @property
    def crashes(self) -> bool:
        """Whether the runner gives no answer to the witness."""
        return self.runner == {"crash": True}

    def at(self, key: str = "") -> str:
        """Where a key of the entry stands."""
        return f"{self.path}:{self.lines.get(key, 1)}"


def entry_name(operation: str, flags: frozenset[str]) -> str:
    """What an entry with that region is called."""
    return f"{operation}[{','.join(sorted(flags)) or 'any'}]"


@dataclass(frozen=True)
class Declarations:
    """All entries of the run's files."""

    entries: tuple[Declaration, ...] = ()

    def holding(self, operation: str, flags: frozenset[str]) -> list[Declaration]:
        """The entries in whose region a case lies."""
        return [entry for entry in self.entries if entry.operation == operation and entry.flags <= flags]

    def covering(self, operation: str, flags: frozenset[str], actual: Answer) -> list[Declaration]:
        """The entries that allow a case to diverge; a crash needs one that is declared to crash."""
        crashed = isinstance(actual, Crash)
        return [entry for entry in self.holding(operation, flags) if entry.crashes or not crashed]

    def spare(self, operation: str, flags: frozenset[str]) -> bool:
        """Whether a case lies where the runner is declared to crash: to ask it would cost a start or a time limit."""
        return any(entry.crashes for entry in self.holding(operation, flags))


def told_answer(answer: Answer) -> Json:
    """An answer as a file of declarations holds it."""
    match answer:
        case Value(value):
            try:
                return {"value": encode(value)}
            except WireError:
                return {"unusual": type(value).__name__}
        case Fault(kind):
            return {"fault": {"kind": kind}}
        case _:
            return {"crash": True}


def stands(operation: Operation[Any], case: object, told: Json, answer: Answer) -> bool:
    """Whether an answer is still what the file says it is."""
    if isinstance(answer, NotClaimed):
        return False
    match told:
        case {"value": _} | {"fault": _}:
            return operation.compare(case, decode_answer(operation, told), answer) is None
    return canonical(told) == canonical(told_answer(answer))


def check_told(operation: str, told: Json, key: str) -> None:
    """See that a file's answer can be one: Harbor's a value or a fault, a runner's also a crash.

    Raises:
        WireError: it cannot.
    """
    match told:
        case {"value": _, **rest} | {"fault": {"kind": str()}, **rest} if not rest:
            decode_answer(OPERATIONS[operation], told)
        case {"unusual": str(), **rest} | {"crash": True, **rest} if not rest and key == "runner":
            pass
        case _:
            raise WireError("an answer takes a value, or a fault with a kind")
