"""The class of rules, and functions for the modules that state rules and flags."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from parity.operations.compare import Aspect


@dataclass(frozen=True)
class Rule:
    """One requirement that a runner must meet."""

    slug: str
    operation: str
    sentence: str
    source: str
    """The functions or classes that decide the rule, by their full names, joined by commas and `and`; or a document.

    They are the wheel's where the wheel itself decides, else those of pydantic or Python that it calls.
    """

    flags: frozenset[str]
    """Only cases that carry one of these flags can break the rule; if there are none, all cases can."""

    aspects: frozenset[Aspect | Literal["float", "rounding"]]
    """Only differences in one of these aspects can break the rule; if there are none, all can.

    `float` stands for anything else in place of a float. `rounding` stands for two numbers that differ in their last
    bits, whatever flags the case carries.
    """

    places: frozenset[str] = frozenset()
    """Only differences with one of these steps in their path can break the rule; if there are none, all can.

    `outer/inner` stands for a step `inner` right below a step `outer`.
    """


def rules(operation: str, *rows: tuple[str, ...]) -> Iterable[Rule]:
    """Build rules from rows of slug, source, flags, sentence and, optionally, aspects and places.

    Blanks separate flags, aspects and places.
    """
    for slug, source, flags, sentence, *rest in rows:
        aspects, places = [*(frozenset(names.split()) for names in rest), frozenset(), frozenset()][:2]
        yield Rule(slug, operation, sentence, source, frozenset(flags.split()), aspects, places)  # type: ignore[arg-type]


def carried(conditions: Mapping[str, object]) -> set[str]:
    """Return the flags with a true condition."""
    return {flag for flag, holds in conditions.items() if holds}
