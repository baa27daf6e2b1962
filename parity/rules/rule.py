"""What a rule is, and how the modules beside this one write theirs down."""

from collections.abc import Iterable
from dataclasses import dataclass

from parity.compare import Aspect


@dataclass(frozen=True)
class Rule:
    """One thing that a runner must get right."""

    slug: str
    operation: str
    sentence: str
    source: str
    """Module of the wheel, or of what it builds on, that decides."""

    flags: frozenset[str]
    """The rule is in question where a case carries one of these; empty for always."""

    aspects: frozenset[Aspect]
    """The rule is in question where answers differ in one of these; empty for any."""


def rules(operation: str, source: str, *rows: tuple[str, str, str] | tuple[str, str, str, str]) -> Iterable[Rule]:
    """Rows of slug, flags, sentence and, optionally, aspects; names separated by blanks."""
    for slug, flags, sentence, *aspects in rows:
        named = frozenset(" ".join(aspects).split())
        yield Rule(slug, operation, sentence, source, frozenset(flags.split()), named)  # type: ignore[arg-type]
