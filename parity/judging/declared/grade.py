"""How two answers differ, as far as a declaration is concerned: the kind of difference, and the harm that it does."""

from dataclasses import dataclass

from parity.judging.difference_kind import DifferenceKind, kind_of
from parity.judging.harm import Harm, harm_of, worst
from parity.operations.answers import Answer
from parity.operations.operation import Operation


@dataclass(frozen=True)
class Grade:
    """A kind of difference, and a harm."""

    kind: DifferenceKind
    harm: Harm | None
    """None where the runner gives no answer: nothing is compared there."""

    def allows(self, other: "Grade") -> bool:
        """Whether the other is of the same kind and does no more harm."""
        if self.kind != other.kind or self.harm is None or other.harm is None:
            return self.kind == other.kind
        return worst([self.harm, other.harm]) == self.harm


def grade_of[Case](operation: Operation[Case], case: Case, expected: Answer, actual: Answer) -> Grade | None:
    """How the runner's answer to a case differs from the reference's; None where it does not."""
    difference = operation.compare(case, expected, actual)
    if difference is None:
        return None
    kind = kind_of(expected, actual, difference)
    return Grade(kind, None if kind == "no-answer" else harm_of(operation.name, expected, actual))
