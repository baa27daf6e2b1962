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
    """The answer of each series, derived by hand, where no wheel answers; else it is recorded from the wheel."""

    @property
    def id(self) -> str:
        """The rule's slug and a name below it; never changes once recorded."""
        return f"{self.rule}/{self.name}"


def vectors_of(prefix: str, cases: Mapping[str, Mapping[str, Any]]) -> list[Vector]:
    """Vectors of named cases, by the slugs of their rules, which begin with the prefix."""
    return [Vector(f"{prefix}/{rule}", name, case) for rule, named in cases.items() for name, case in named.items()]


def named(text: str) -> str:
    """A name for a short text: the text itself, with blanks and everything unusual percent-encoded."""
    return quote(text.encode("utf-8", "surrogatepass"), safe="+,:=()'\"{}[]*!$") or "nothing"
