"""The grade of a difference, by which declarations allow it: its kind and its harm."""

from dataclasses import dataclass

from parity.judging.difference_kind import DifferenceKind, kind_of
from parity.judging.harm import Harm, harm_of, worst
from parity.operations.answers import Answer
from parity.operations.operation import Operation


@dataclass(frozen=True)
class Grade:
    """A kind of difference and a harm."""

    kind: DifferenceKind
    harm: Harm | None
    """None if the runner gave no answer, because then nothing is compared."""

    def allows(self, other: "Grade") -> bool:
        """Return whether the other grade is of the same kind and does no more harm."""
        if self.kind != other.kind or self.harm is None or other.harm is None:
            return self.kind == other.kind
        return worst([self.harm, other.harm]) == self.harm


def grade_of[Case](operation: Operation[Case], case: Case, expected: Answer, actual: Answer) -> Grade | None:
    """Return the grade of the difference between two answers to a case; None if they are equal."""
    difference = operation.compare(case, expected, actual)
    if difference is None:
        return None
    kind = kind_of(expected, actual, difference)
    return Grade(kind, None if kind == "no-answer" else harm_of(operation.name, expected, actual))
