"""Every rule and every flag, operation by operation.

A rule is one normative sentence under a stable slug, and is implemented once, in the clean room. It names where the
wheel decides it, or the document where no wheel does. A divergence is put down to a rule of its operation whose flags
the case carries and whose aspect the difference has, in this order; `parity.judging.attribution` says how.

A flag says why a case is hard. The suite counts how many cases carried each, and the default profile fails where none
did: a corner that is not reached proves nothing.
"""

from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from typing import Any

from parity.operations import OPERATIONS
from parity.operations.answers import Fault
from parity.operations.compare import Difference, Path
from parity.operations.rule import Rule

RULES: dict[str, Rule] = {rule.slug: rule for operation in OPERATIONS.values() for rule in operation.rules}
"""Every rule by its slug, in the order in which divergences are put down to them."""

FLAGS: Mapping[str, Mapping[str, str]] = {name: operation.flag_sentences for name, operation in OPERATIONS.items()}
"""Operation to its flags, each with the sentence that explains it."""

EQUIVALENTS: Mapping[str, Callable[[Any], Any]] = {
    slug: change for operation in OPERATIONS.values() for slug, change in operation.equivalents.items()
}
"""Slug of a rule to a function that turns a case into one that counts the same by that rule alone."""


def rules_in_question(
    operation: str, flags: frozenset[str], difference: Difference, shows: Rule | None = None
) -> Iterator[Rule]:
    """The rules of the operation that this difference, in a case with these flags, can break.

    The first is the likeliest; the last has no flags, so that there always is one. `shows` is in question whatever
    the flags.
    """
    for rule in RULES.values():
        carries = rule is shows or not rule.flags or bool(rule.flags & flags)
        if rule.operation == operation and carries and decides(rule, difference):
            yield rule


def decides(rule: Rule, difference: Difference) -> bool:
    """Whether the rule is about answers that differ in this aspect and at this place.

    One about values is broken by an error in the place of a value, but not where the reference has an error itself.
    """
    if isinstance(difference.expected, Fault) and rule.aspects - {"fault"}:
        return False
    unnamed = not rule.aspects and difference.aspect != "input"  # which is about no answer, as other rules are
    aspect = unnamed or difference.aspect in rule.aspects
    return aspect and (not rule.places or not rule.places.isdisjoint(_places(difference.path)))


def _places(path: Path) -> Iterator[object]:
    """The steps of a path, and each two that follow one another, joined by a slash."""
    yield from path
    yield from (f"{outer}/{inner}" for outer, inner in pairwise(path))
