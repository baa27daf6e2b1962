"""The class of rules, and the conditions on differences that rules share.

A rule is one normative sentence under a stable slug. Which rule a divergence breaks is found out from `when`, a
condition on the case, and `where`, a condition on the difference between the two answers.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from parity.operations.answers import Answer, Fault
from parity.operations.compare import Aspect, Difference

type When = Callable[[Any], bool]
"""A condition on the cases of an operation."""

type Where = Callable[[Difference, Answer], bool]
"""A condition on a difference, and on the reference's answer."""


def always(case: Any) -> bool:
    """Return True: every case can break the rule."""
    return True


def never(case: Any) -> bool:
    """Return False: only golden vectors show the rule."""
    return False


def anywhere(difference: Difference, answer: Answer) -> bool:
    """Return True: every difference can break the rule."""
    return True


def nowhere(difference: Difference, answer: Answer) -> bool:
    """Return False: no difference breaks the rule by itself."""
    return False


@dataclass(frozen=True)
class Rule:
    """One requirement that a runner must meet."""

    slug: str
    sentence: str
    source: str
    """The functions or classes that decide the rule, by their full names, joined by commas and `and`; or a document.

    They are the wheel's where the wheel itself decides, else those of pydantic or Python that it calls.
    """

    when: When = always
    """The cases that can break the rule."""

    where: Where = anywhere
    """The differences that can break it in such a case."""

    in_any_case: Where = nowhere
    """The differences that can break it in any case."""

    same: Callable[[Any], Any] | None = None
    """Returns a case whose answer is the same because of this rule, or None for a rule without such a case."""

    @property
    def is_general(self) -> bool:
        """Return whether every case can break the rule."""
        return self.when is always

    def fits(self, case: Any, difference: Difference, answer: Answer) -> bool:
        """Return whether a difference in the case can break the rule.

        Args:
            case: a case of the rule's operation.
            difference: the first difference between the reference's answer and the runner's.
            answer: the reference's answer.
        """
        here = self.where(difference, answer) and self.when(case)
        return here or self.in_any_case(difference, answer)


def aspects(*names: Aspect) -> Where:
    """Return a condition: the difference is in one of these aspects.

    A rule about values can be broken by an error in place of a value, but not if the reference itself has an error.
    """

    def holds(difference: Difference, answer: Answer) -> bool:
        if isinstance(answer, Fault) and set(names) != {"fault"}:
            return False
        return difference.aspect in names

    return holds


in_keys = aspects("keys")
in_order = aspects("order")
in_faults = aspects("fault")


def at(*places: str) -> Where:
    """Return a condition: one of these steps is in the path of the difference.

    `outer/inner` stands for a step `inner` right below a step `outer`.
    """

    def holds(difference: Difference, answer: Answer) -> bool:
        path = difference.path
        steps = {*map(str, path), *(f"{outer}/{inner}" for outer, inner in pairwise(path))}
        return not steps.isdisjoint(places)

    return holds


def both(*conditions: Where) -> Where:
    """Return a condition: all of these hold."""
    return lambda difference, answer: all(holds(difference, answer) for holds in conditions)


def either(*conditions: Where) -> Where:
    """Return a condition: one of these holds."""
    return lambda difference, answer: any(holds(difference, answer) for holds in conditions)


def in_values(difference: Difference, answer: Answer) -> bool:
    """Return whether the reference has a value. Rules about values cannot be broken where it has an error."""
    return not isinstance(answer, Fault)


def at_the_top(difference: Difference, answer: Answer) -> bool:
    """Return whether the whole answers are of different types, such as None in place of a dict."""
    return difference.aspect == "type" and not difference.path


def in_floats(difference: Difference, answer: Answer) -> bool:
    """Return whether the reference has a float where the answers differ."""
    return isinstance(difference.expected, float)


def rounding(difference: Difference, answer: Answer) -> bool:
    """Return whether two floats, or the texts of two, differ by at most the error of another summation."""
    try:
        left, right = (float(side) for side in (difference.expected, difference.actual))  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return False
    return difference.aspect in ("bits", "text") and left != right and math.isclose(left, right, rel_tol=_ROUNDING)


_ROUNDING = 1e-12
