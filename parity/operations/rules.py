"""Every rule and every flag of all operations.

A rule is one normative sentence under a stable slug. The clean room implements it once. Its source names the functions
that decide it, or a document if no function does. A divergence is attributed to the first rule of its operation that
fits the flags of the case and the aspect of the difference; `parity.suite.comparer` has the details.

A flag says why a case is hard.
"""

import math
from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from typing import Any

from parity.operations import OPERATIONS
from parity.operations.answers import Fault
from parity.operations.compare import Difference, Path
from parity.operations.rule import Rule

RULES: dict[str, Rule] = {rule.slug: rule for operation in OPERATIONS.values() for rule in operation.rules}
"""Every rule by its slug, in the order in which attribution tries them."""

FLAGS: Mapping[str, Mapping[str, str]] = {name: operation.flag_sentences for name, operation in OPERATIONS.items()}
"""The flags of each operation, with the sentences that explain them."""

EQUIVALENTS: Mapping[str, Callable[[Any], Any]] = {
    slug: change for operation in OPERATIONS.values() for slug, change in operation.equivalents.items()
}
"""For each rule, a function that turns a case into another one whose answer is the same because of this rule."""


def rules_in_question(operation: str, flags: frozenset[str], difference: Difference) -> Iterator[Rule]:
    """Yield the candidate rules for a difference: those that it can break in a case with these flags.

    The likeliest rule comes first. The last one has no flags, so at least one rule is yielded.
    """
    rounded = is_rounding(difference)
    for rule in RULES.values():
        carries = not rule.flags or bool(rule.flags & flags)
        carries |= rounded and "rounding" in rule.aspects
        if rule.operation == operation and carries and decides(rule, difference):
            yield rule


def decides(rule: Rule, difference: Difference) -> bool:
    """Return whether the rule is about differences in this aspect and at this place.

    An error instead of a value can break a rule about values, but not if the reference itself has an error.
    """
    if isinstance(difference.expected, Fault) and rule.aspects - {"fault"}:
        return False
    aspect = (
        not rule.aspects
        or difference.aspect in rule.aspects
        or ("float" in rule.aspects and isinstance(difference.expected, float))
        or ("rounding" in rule.aspects and is_rounding(difference))
    )
    return aspect and (not rule.places or not rule.places.isdisjoint(_places(difference.path)))


def is_rounding(difference: Difference) -> bool:
    """Return whether two finite floats, or the texts of two floats, differ by at most the error of another summation."""
    try:
        left, right = (float(side) for side in (difference.expected, difference.actual))  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return False
    return difference.aspect in ("bits", "text") and left != right and math.isclose(left, right, rel_tol=_ROUNDING)


_ROUNDING = 1e-12


def _places(path: Path) -> Iterator[object]:
    """Yield each step of a path, and each two successive steps, joined by a slash."""
    yield from path
    yield from (f"{outer}/{inner}" for outer, inner in pairwise(path))
