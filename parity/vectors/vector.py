"""One golden vector, before its answer."""

from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from parity.rules import RULES


@dataclass(frozen=True)
class Vector:
    """A case chosen to show one rule."""

    rule: str
    name: str
    case: Any

    def __post_init__(self) -> None:
        if self.rule not in RULES:
            raise ValueError(f"vector {self.name}: there is no rule {self.rule}")

    @property
    def id(self) -> str:
        """The rule's slug and a name below it; never changes once recorded."""
        return f"{self.rule}/{self.name}"


def named(text: str) -> str:
    """A name for a short text: the text itself, with blanks and everything unusual percent-encoded."""
    return quote(text.encode("utf-8", "surrogatepass"), safe="+,:=()'\"{}[]*!$") or "nothing"
