"""The class of rules, and conditions on differences that several rules use.

A rule is one normative sentence with a stable slug. Two conditions decide whether a divergence breaks the rule: `when`
is a condition on the case, and `where` is a condition on the difference between the two answers. Rules of an operation
that has general rules have no conditions.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from parity.operations.answers import Answer, Fault
from parity.operations.compare import Aspect, Difference

type When = Callable[[Any], bool]
"""A condition on the cases of an operation."""

type Where = Callable[[Difference, Answer], bool]
"""A condition on a difference and on the reference's answer."""


def always(case: Any) -> bool:
    """Return True, because every case can break the rule."""
    return True


def anywhere(difference: Difference, answer: Answer) -> bool:
    """Return True, because every difference can break the rule."""
    return True


def nowhere(difference: Difference, answer: Answer) -> bool:
    """Return False, because no difference can break the rule unless `when` holds for the case."""
    return False


@dataclass(frozen=True)
class Rule:
    """One requirement that a runner must meet."""

    slug: str
    sentence: str
    source: str
    """The full names of the functions or classes that decide the rule, joined by commas and `and`; or a document.

    The functions and classes belong to the wheel if the wheel itself decides, else to pydantic or Python, which the
    wheel calls.
    """

    when: When = always
    """A condition on cases that can break the rule."""

    where: Where = anywhere
    """A condition on differences that can break the rule if `when` holds for the case."""

    in_any_case: Where = nowhere
    """A condition on differences that can break the rule in any case."""

    same: Callable[[Any], Any] | None = None
    """A function that converts a case to a case with the same answer because of this rule; None if there is none."""

    @property
    def is_general(self) -> bool:
        """Return whether every case can break the rule."""
        return self.when is always

    def fits(self, case: Any, difference: Difference, answer: Answer) -> bool:
        """Return whether a difference between the answers to a case can break the rule.

        Args:
            case: a case of the rule's operation.
            difference: the first difference between the reference's answer and the runner's.
            answer: the reference's answer.
        """
        here = self.where(difference, answer) and self.when(case)
        return here or self.in_any_case(difference, answer)


def aspects(*names: Aspect) -> Where:
    """Build a condition that holds if the difference has one of these aspects.

    An error in place of a value can break a rule about values, but not if the reference's answer is an error, too.
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
    """Build a condition that holds if the path of the difference contains one of these steps."""
    return lambda difference, answer: not set(map(str, difference.path)).isdisjoint(places)


def both(*conditions: Where) -> Where:
    """Build a condition that holds if all the given conditions hold."""
    return lambda difference, answer: all(holds(difference, answer) for holds in conditions)


def either(*conditions: Where) -> Where:
    """Build a condition that holds if one of the given conditions holds."""
    return lambda difference, answer: any(holds(difference, answer) for holds in conditions)


def not_in_keys(difference: Difference, answer: Answer) -> bool:
    """Return whether the difference is anything but that of an object's keys."""
    return not in_keys(difference, answer)


def in_values(difference: Difference, answer: Answer) -> bool:
    """Return whether the reference's answer is a value. If it is an error, no rule about values can be broken."""
    return not isinstance(answer, Fault)


def at_the_top(difference: Difference, answer: Answer) -> bool:
    """Return whether the answers themselves have different types, such as None in place of a dict."""
    return difference.aspect == "type" and not difference.path


def in_floats(difference: Difference, answer: Answer) -> bool:
    """Return whether the expected value at the difference is a float."""
    return isinstance(difference.expected, float)


def rounding(difference: Difference, answer: Answer) -> bool:
    """Return whether two floats, or strings that spell floats, differ by at most the error of another summation."""
    try:
        left, right = (float(side) for side in (difference.expected, difference.actual))  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return False
    return difference.aspect in ("bits", "text") and left != right and math.isclose(left, right, rel_tol=_ROUNDING)


_ROUNDING = 1e-12
