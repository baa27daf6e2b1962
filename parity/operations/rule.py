"""What a rule is, and how the modules beside this one write theirs down."""

from collections.abc import Iterable
from dataclasses import dataclass

from parity.operations.compare import Aspect


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

    places: frozenset[str] = frozenset()
    """The rule is in question where the path to the difference names one of these; empty for anywhere.

    `outer/inner` stands for an inner step right below the outer one.
    """


def rules(operation: str, source: str, *rows: tuple[str, ...]) -> Iterable[Rule]:
    """Rows of slug, flags, sentence and, optionally, aspects and places; names separated by blanks."""
    for slug, flags, sentence, *rest in rows:
        aspects, places = [*(frozenset(names.split()) for names in rest), frozenset(), frozenset()][:2]
        yield Rule(slug, operation, sentence, source, frozenset(flags.split()), aspects, places)  # type: ignore[arg-type]


def leaves_its_input(
    operation: str, source: str, what: str = "its arguments as they were, down to the order of keys"
) -> Rule:
    """The rule that a call reads what it is given, and leaves it as it was.

    It is in question where the answer itself is the reference's. `parity.operations.changed_input` sees what a call
    changed.
    """
    slug, sentence = f"{operation.replace('_', '-')}/leaves-its-input-alone", f"A call leaves {what}."
    return Rule(slug, operation, sentence, source, frozenset(), frozenset({"input"}))


INPUT_FILES = "the folder, its files and what links lead to as they were"
"""What a call leaves where it is given a folder or a file."""
