"""An entry in a file of declared divergences, and all entries that a run uses."""

import json
import re
import sys
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, PrivateAttr, model_validator

from parity.operations.finding import SuiteFinding
from parity.operations.goldens import in_wire_form, vector_of
from parity.operations.rules import OPERATION_OF
from parity.operations.wire import Json
from parity.suite.divergence import Divergence
from parity.suite.harm import HARMS, Harm

type Class = Literal["to-fix", "by-design", "reference-bug"]
"""The runner is wrong, and will be mended; the runner means to differ; or Harbor is wrong."""

NO_ANSWER: Literal["no-answer"] = "no-answer"
"""Stands in place of the harm if the runner hangs or ends."""

type Effect = Harm | Literal["no-answer"]

EFFECTS: tuple[Effect, ...] = (*HARMS, NO_ANSWER)
"""Everything that can stand above the names of vectors, in the order of a file."""


class StaleDeclaration(SuiteFinding):
    """A file does not declare exactly what diverges. This alone does not change the verdict on the operation."""

    def __init__(self, text: str, rule: str, place: str = "") -> None:
        """Make a finding about the row of a rule, at a file, line and column if the rule has a row."""
        super().__init__(text)
        self.rule = rule
        self.place = place


def effect_of(divergence: Divergence) -> Effect:
    """Return the harm of a divergence, or `no-answer`."""
    return NO_ANSWER if divergence.kind == NO_ANSWER else divergence.harm


def _known_effect(key: object) -> object:
    if key not in EFFECTS:
        raise ValueError(f"unknown harm {key}; expected one of {', '.join(EFFECTS)}, or cases")
    return key


def _json(text: object) -> Json:
    """Parse a string of JSON. Plain numbers are accepted in place of their wire form."""
    try:
        return in_wire_form(json.loads(text if isinstance(text, str) else ""))
    except (ValueError, RecursionError):
        raise ValueError("must be a string of JSON") from None


type _Effect = Annotated[Effect, BeforeValidator(_known_effect)]
type _Names = Annotated[tuple[str, ...], Field(min_length=1)]


class Row(BaseModel):
    """How one rule diverges for one reason."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    vectors: Mapping[_Effect, _Names]
    """The names of the golden vectors that diverge, by effect. A name is the vector's id without the rule."""

    cases: Mapping[_Effect, Annotated[Any, BeforeValidator(_json)]]
    """A case in its wire form for each effect that no golden vector shows."""

    @model_validator(mode="before")
    @classmethod
    def _split(cls, row: object) -> object:
        if not isinstance(row, dict):
            raise ValueError('must be a table such as { pays-out = ["name"] }')
        return {"vectors": {key: row[key] for key in row if key != "cases"}, "cases": row.get("cases", {})}


@dataclass(frozen=True)
class Source:
    """The text of an entry in its file."""

    path: Path
    text: str
    """The text of the file."""

    start: int = 0
    """The place in the text where the entry begins."""

    end: int = sys.maxsize

    def place(self, *steps: object) -> str:
        """Return file, line and column of a key or value. Where it is not found, the last step that is found counts.

        Args:
            steps: the keys that lead to it, and the value itself if it is a string.
        """
        place = self.start
        for step in steps:
            token = re.compile(rf"(?<![^\s\[{{,])[\"']?{re.escape(str(step))}[\"']?(?![^\s\]}},=])")
            if isinstance(step, str) and (match := token.search(self.text, place, self.end)):
                place = match.start()
        before = self.text[:place]
        return f"{self.path}:{before.count('\n') + 1}:{place - before.rfind('\n')}"


class Declaration(BaseModel):
    """One entry: a reason, with all rules that diverge for it."""

    model_config = ConfigDict(frozen=True, extra="forbid", validate_by_name=True, validate_by_alias=True)

    class_: Class = Field(alias="class")
    reason: str
    rules: Annotated[Mapping[str, Row], Field(min_length=1)]
    """The rows by the slugs of their rules."""

    _source: Source = PrivateAttr(Source(Path(), ""))

    def at(self, source: Source) -> "Declaration":
        """Record the place of the entry in its file."""
        self._source = source
        return self

    def place(self, *steps: str) -> str:
        """Return file, line and column of a key of the entry, or of the entry itself."""
        return self._source.place(*steps)

    def vectors(self) -> Iterator[tuple[str, Effect, str]]:
        """Yield rule, effect and id of each golden vector."""
        for rule, row in self.rules.items():
            for effect, names in row.vectors.items():
                yield from ((rule, effect, f"{rule}/{name}") for name in names)

    def cases(self) -> Iterator[tuple[str, Effect, Json]]:
        """Yield rule, effect and wire form of each case."""
        for rule, row in self.rules.items():
            yield from ((rule, effect, case) for effect, case in row.cases.items())


@dataclass(frozen=True)
class Declarations:
    """All entries in the files that a run uses."""

    entries: tuple[Declaration, ...] = ()

    @cached_property
    def _vectors(self) -> dict[str, tuple[Effect, Declaration]]:
        return {vector: (effect, entry) for entry in self.entries for _, effect, vector in entry.vectors()}

    @cached_property
    def _effects(self) -> Collection[tuple[str, Effect]]:
        rows = [(rule, row) for entry in self.entries for rule, row in entry.rules.items()]
        return {(rule, effect) for rule, row in rows for effect in (*row.vectors, *row.cases)}

    @cached_property
    def crashing(self) -> Collection[str]:
        """The rules under which the runner is declared to give no answer."""
        return {rule for rule, effect in self._effects if effect == NO_ANSWER}

    @cached_property
    def unanswered(self) -> Mapping[str, tuple[int, str]]:
        """The row, by entry and rule, of each golden vector to which the runner is declared to give no answer."""
        vectors = [(place, each) for place, entry in enumerate(self.entries) for each in entry.vectors()]
        return {vector: (place, rule) for place, (rule, effect, vector) in vectors if effect == NO_ANSWER}

    def entry_of(self, vector: str) -> Declaration | None:
        """Return the entry that lists a golden vector, or None."""
        return self._vectors[vector][1] if vector in self._vectors else None

    def covers(self, divergence: Divergence) -> bool:
        """Return whether a divergence is declared.

        A generated case is, if its rule and harm are declared, or if it is a golden vector that is declared so.
        """
        effect, vector = effect_of(divergence), divergence.vector
        if vector is None and (divergence.rule.slug, effect) in self._effects:
            return True
        if vector is None and self.entries and divergence.wire_form is not None:
            same = vector_of(OPERATION_OF[divergence.rule.slug], divergence.case)
            vector = same.id if same else None
        return vector in self._vectors and self._vectors[vector][0] == effect
