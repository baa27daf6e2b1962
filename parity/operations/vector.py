"""One golden vector, before its answer is recorded."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from parity.operations.answers import Answer
from parity.scorer.series import Series


@dataclass(frozen=True)
class Vector:
    """A case chosen to show one rule."""

    rule: str
    name: str
    case: Any
    by_hand: Mapping[Series, Answer] | None = None
    """The answer of each interpreter series, derived by hand; None if the wheel's answer is recorded."""

    @property
    def id(self) -> str:
        """The rule's slug, a slash and the name; it never changes once recorded."""
        return f"{self.rule}/{self.name}"


def vectors_of(prefix: str, cases: Mapping[str, Mapping[str, Any]]) -> list[Vector]:
    """Build vectors from named cases, grouped by rule; `prefix` and the group's key make the slug of the rule."""
    return [Vector(f"{prefix}/{rule}", name, case) for rule, named in cases.items() for name, case in named.items()]


def named(text: str) -> str:
    """Turn a short text into the name of a vector: percent-encode blanks and unusual characters."""
    return quote(text.encode("utf-8", "surrogatepass"), safe="+,:=()'\"{}[]*!$") or "nothing"
