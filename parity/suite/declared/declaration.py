"""An entry in a file of declared divergences, and all entries that a run uses."""

import json
from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PrivateAttr,
    StringConstraints,
    ValidationInfo,
    field_validator,
)

from parity.operations import OPERATIONS
from parity.operations.answers import Answer, Fault, NotClaimed, Value
from parity.operations.compare import compare_answers
from parity.operations.finding import SuiteFinding
from parity.operations.goldens import in_wire_form, is_vector_of
from parity.operations.operation import Operation, decode_answer
from parity.operations.rule import Rule
from parity.operations.rules import OPERATION_OF, RULES
from parity.operations.wire import Json, WireError, canonical, encode
from parity.suite.difference_kind import DifferenceKind
from parity.suite.divergence import Key
from parity.suite.harm import Harm

type Class = Literal["to-fix", "by-design", "reference-bug"]

CLASSES: dict[Class, str] = {
    "to-fix": "the runner is wrong, and will be mended",
    "by-design": "the runner means to differ",
    "reference-bug": "Harbor is wrong",
}
"""The possible classes of an entry, with their meaning."""


class StaleDeclaration(SuiteFinding):
    """An entry declares a divergence that no longer occurs. This does not change the verdict on the operation."""


def _rule(slug: str) -> str:
    if slug not in RULES:
        raise ValueError(f"unknown rule {slug!r}; golden/SPEC.md lists the rules")
    return slug


def _json(text: object) -> Json:
    """Parse a string of JSON. Plain numbers are accepted in place of their wire form."""
    try:
        return in_wire_form(json.loads(text if isinstance(text, str) else ""))
    except (ValueError, RecursionError):
        raise ValueError("must be a string of JSON") from None


type JsonString = Annotated[Any, BeforeValidator(_json)]


class Declaration(BaseModel):
    """One entry. Its rule, kind and harm identify it, as they identify a divergence."""

    model_config = ConfigDict(frozen=True, extra="forbid", validate_by_name=True, validate_by_alias=True)

    rule: Annotated[str, AfterValidator(_rule)]
    """The rule's slug."""

    kind: DifferenceKind = Field(alias="difference")
    harm: Harm
    class_: Class = Field(alias="class")
    reason: Annotated[str, StringConstraints(pattern=r"\S")]
    witness: JsonString
    """A case that diverges in this way, in its wire form."""

    reference: JsonString
    """The reference's answer to the witness, in the form that `answer_json` returns."""

    runner: JsonString
    vectors: frozenset[str] | None = None
    """The ids of all golden vectors that diverge in this way; None if they are not known."""

    _path: Path = PrivateAttr(Path())
    _lines: dict[str, int] = PrivateAttr(default_factory=dict)

    @field_validator("witness", "reference", "runner")
    @classmethod
    def _check_json(cls, value: Json, info: ValidationInfo) -> Json:
        if "rule" in info.data:
            operation = OPERATION_OF[info.data["rule"]]
            if info.field_name == "witness":
                operation.decode(value)
            else:
                _check_answer(operation, value, is_runner=info.field_name == "runner")
        return value

    @field_validator("vectors")
    @classmethod
    def _check_vectors(cls, ids: frozenset[str] | None, info: ValidationInfo) -> frozenset[str] | None:
        for each in sorted(ids or ()):
            if "rule" in info.data and not each.startswith(f"{info.data['rule']}/"):
                raise ValueError(f"{each} is not a golden vector of {info.data['rule']}")
        return ids

    def at_place(self, path: Path, lines: dict[str, int]) -> "Declaration":
        """Record the entry's file, and the line of each key; the empty key stands for the entry's head."""
        self._path, self._lines = path, lines
        return self

    def at(self, key: str = "") -> str:
        """Return the file and line of a key, or of the entry's head."""
        return f"{self._path}:{self._lines.get(key, self._lines.get('', 1))}"

    @property
    def key(self) -> Key:
        """The rule, kind and harm of the divergences that the entry declares."""
        return self.rule, self.kind, self.harm

    @property
    def name(self) -> str:
        """The name of the entry in messages."""
        return " ".join(self.key)

    @property
    def operation(self) -> str:
        """The name of the operation that the rule belongs to."""
        return OPERATION_OF[self.rule].name

    @cached_property
    def case(self) -> Any:
        """The witness as a case of the operation."""
        return OPERATIONS[self.operation].decode(self.witness)

    @property
    def rule_of_witness(self) -> Rule | None:
        """The entry's rule if the witness is one of its golden vectors; None if the comparer has to find the rule."""
        return RULES[self.rule] if is_vector_of(RULES[self.rule], self.witness) else None

    def covers_vector(self, name: str) -> bool:
        """Return whether the entry allows a golden vector to diverge."""
        return self.vectors is None or name in self.vectors


def answer_json(operation: Operation[Any], answer: Answer) -> Json:
    """Return an answer in the form for a file of declarations: only its type if JSON cannot represent it exactly."""
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


def matches_answer(operation: Operation[Any], case: object, stated: Json, answer: Answer) -> bool:
    """Return whether an answer is still the one that the file states."""
    if isinstance(answer, NotClaimed):
        return False
    match stated:
        case {"value": _} | {"fault": _}:
            return operation.compare(case, decode_answer(operation, stated), answer) is None
    return canonical(stated) == canonical(answer_json(operation, answer))


def _check_answer(operation: Operation[Any], stated: Json, *, is_runner: bool) -> None:
    """Check the form of an answer: a value or a fault; a runner's answer may also be a crash or only a type.

    Raises:
        WireError: the answer has another form.
    """
    match stated:
        case {"value": _, **rest} | {"fault": {"kind": str()}, **rest} if not rest:
            decode_answer(operation, stated)
        case {"unusual": str(), **rest} | {"crash": True, **rest} if not rest and is_runner:
            pass
        case _:
            raise WireError("an answer must have a value, or a fault with a kind")


@dataclass(frozen=True)
class Declarations:
    """All entries in the files that a run uses."""

    entries: tuple[Declaration, ...] = ()

    @cached_property
    def _by_key(self) -> dict[Key, Declaration]:
        return {entry.key: entry for entry in self.entries}

    @cached_property
    def crashing(self) -> Collection[str]:
        """The rules under which the runner is declared to give no answer."""
        return {entry.rule for entry in self.entries if entry.kind == "no-answer"}

    @cached_property
    def crashing_vectors(self) -> Collection[str]:
        """The golden vectors to which the runner is declared to give no answer."""
        return {each for entry in self.entries if entry.kind == "no-answer" for each in entry.vectors or ()}

    def covers(self, key: Key, vector: str | None = None) -> bool:
        """Return whether a divergence is declared.

        Args:
            key: the divergence's rule, kind and harm.
            vector: the id of the golden vector, if the case is one.
        """
        entry = self._by_key.get(key)
        return entry is not None and (vector is None or entry.covers_vector(vector))
