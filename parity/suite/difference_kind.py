"""Kinds of difference between two answers, such as a value where the reference has an error.

A report groups divergences by rule, kind and harm, so that a mild difference does not hide a worse one.
"""

from typing import Literal, get_args

from parity.operations.answers import Answer, Crash, Fault
from parity.operations.compare import Difference

type DifferenceKind = Literal[
    "value-for-error", "error-for-value", "other-error", "other-type", "other-value", "no-answer"
]

DIFFERENCE_KINDS: dict[DifferenceKind, str] = {
    "value-for-error": "a value where the reference has an error",
    "error-for-value": "an error where the reference has a value",
    "other-error": "another error",
    "other-type": "a value of another type",
    "other-value": "another value",
    "no-answer": "no answer: the runner hangs, or ends",
}
"""Each kind, with its meaning."""

assert set(get_args(DifferenceKind.__value__)) == set(DIFFERENCE_KINDS)


def kind_of(expected: Answer, actual: Answer, difference: Difference) -> DifferenceKind:
    """Return the kind of the difference between two answers.

    Args:
        expected: the reference's answer.
        actual: the runner's answer.
        difference: the first difference between them.
    """
    match expected, actual:
        case _, Crash():
            return "no-answer"
        case Fault(), Fault():
            return "other-error"
        case Fault(), _:
            return "value-for-error"
        case _, Fault():
            return "error-for-value"
    return "other-type" if difference.aspect == "type" else "other-value"
