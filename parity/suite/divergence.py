"""Divergences: their data, the exceptions that carry them, and the lines that report them.

A divergence holds its case as it was drawn. The case is encoded only where it is written, and never decoded again.
"""

import re
from dataclasses import dataclass
from functools import cache, cached_property
from math import isfinite
from typing import Any

from parity.operations.answers import Answer, Crash, Fault, Malformed, Value
from parity.operations.compare import Difference, ulp_distance
from parity.operations.finding import SuiteFinding
from parity.operations.operation import Operation
from parity.operations.rule import Rule
from parity.operations.wire import Json, canonical
from parity.suite.harm import DifferenceKind, Harm, harm_of, kind_of

type Key = tuple[str, DifferenceKind, Harm]
"""Rule, kind of difference and harm. Together, they identify a divergence in reports."""

type Look = tuple[str, DifferenceKind, Harm, str | int | None]
"""Rule, kind of difference, harm and first step of the path. A golden vector shows all divergences that look like its.

The first step is None for the empty path, and where the outermost keys are chosen by whoever writes the case.
"""

_FREE_KEYS = frozenset({"read_reward", "aggregate", "pass_at_k", "trial_score"})
"""Operations whose outermost keys in an answer depend on the case."""

WIDTH = 240
"""Maximum length of a string in the terminal, in characters, without the note on what is cut."""

LONGEST_WHERE = 100
_DIGITS = re.compile(r"\d{50,}")
_MOST_ULPS = 4096


@dataclass(frozen=True)
class Divergence:
    """One case with two different answers: the reference's and the runner's."""

    operation: Operation[Any]
    rule: Rule
    """The rule that it breaks; for a golden vector, the vector's rule."""

    case: Any
    """The case as it was asked."""

    reference: Answer
    runner: Answer
    difference: Difference
    runner_name: str
    vector: str | None = None
    """The id of the golden vector, if the case was asked as one."""

    attributed: Rule | None = None
    """The rule under which a golden vector's divergence is shown, if it is not about the vector's own rule."""

    like: str | None = None
    """A golden vector that shows the divergence of a generated case, which is then not shrunk."""

    repeatable: bool = True
    """Whether the runner gave the same answer when it was asked again."""

    @property
    def shown(self) -> Rule:
        """The rule under which it is shown."""
        return self.attributed or self.rule

    @cached_property
    def kind(self) -> DifferenceKind:
        """The kind of difference between the answers."""
        return kind_of(self.reference, self.runner, self.difference)

    @cached_property
    def harm(self) -> Harm:
        """Whether the runner changes a score, hides or invents a failure, or changes only the form."""
        return harm_of(self.operation.name, self.reference, self.runner)

    @property
    def classified(self) -> Key:
        """Rule, kind and harm. Divergences that agree in all three are reported once."""
        return self.rule.slug, self.kind, self.harm

    @property
    def look(self) -> Look:
        """The properties by which a divergence resembles that of a golden vector, and then need not be shrunk."""
        step = None if self.operation.name in _FREE_KEYS else next(iter(self.difference.path), None)
        return *self.classified, step

    @cached_property
    def wire_form(self) -> Json | None:
        """The case in its wire form; None if it has none."""
        return self.operation.wire_form(self.case)

    @cached_property
    def described(self) -> str:
        """The description of the case; its repr if it has no wire form, or cannot be described."""
        if self.wire_form is not None:
            try:
                return self.operation.describe(self.case)
            except Exception:  # the case must not be lost
                pass
        return safe_repr(self.case)

    @cached_property
    def size(self) -> int:
        """The size of the case in its wire form, or of its description if it has none, in bytes."""
        text = self.described if self.wire_form is None else canonical(self.wire_form)
        return len(text.encode(errors="replace"))

    @property
    def simplicity(self) -> tuple[int, int]:
        """A sort key: the shortest description first, then the fewest bytes."""
        return len(self.described), self.size

    @property
    def authority(self) -> str:
        """The name of the reference that the runner's answer is compared with."""
        return self.operation.authority(self.case)


class DivergenceFound(SuiteFinding):
    """The finding that a case diverges, which makes a test fail."""

    def __init__(self, divergence: Divergence) -> None:
        super().__init__(f"{divergence.rule.slug}: {first_line(divergence)}")
        self.divergence = divergence

    @property
    def is_shrunk(self) -> bool:
        """Whether Hypothesis shrinks the case, because it was generated and no golden vector shows its divergence."""
        return self.divergence.vector is None and self.divergence.like is None


@cache
def exception_class(rule: str, kind: DifferenceKind, harm: Harm) -> type[DivergenceFound]:
    """Return the exception class for a rule, kind and harm.

    Hypothesis keeps and shrinks one failure of each class, so a test reports each of them with a small case.
    """
    return type(f"{rule} {kind} {harm}", (DivergenceFound,), {})


def first_line(divergence: Divergence) -> str:
    """Return one line that states the difference between the answers."""
    difference = divergence.difference
    where = shortened(difference.where(), LONGEST_WHERE)
    match difference.aspect:
        case "crash":
            answer = "a malformed answer" if isinstance(divergence.runner, Malformed) else "no answer"
            return f"{divergence.runner_name} gave {answer}"
        case "fault":
            return f"{_outcome(divergence.runner)} instead of {_outcome(divergence.reference)}"
        case "type":
            actual, expected = type(difference.actual).__name__, type(difference.expected).__name__
            return f"{actual} instead of {expected} at {where}"
        case "keys":
            return f"other keys at {where}"
        case "order":
            return f"the same keys in another order at {where}"
        case "length":
            return f"another length at {where}"
        case "bits":
            return f"another number at {where}{_distance(difference)}"
        case _:
            return f"another {difference.aspect} at {where}"


def show_answer(answer: Answer, width: int = WIDTH) -> str:
    """Return an answer in one line."""
    return shortened(_text(answer), width)


def show_answers(reference: Answer, runner: Answer, width: int = WIDTH) -> tuple[str, str]:
    """Return two answers, each in one line, cut such that different answers look different."""
    return shortened_apart(_text(reference), _text(runner), width)


def show_sides(expected: object, actual: object, width: int = WIDTH) -> tuple[str, str]:
    """Return two values as Python writes them, cut such that different values look different."""
    return shortened_apart(safe_repr(expected), safe_repr(actual), width)


def _text(answer: Answer) -> str:
    match answer:
        case Value(value):
            return safe_repr(value)
        case Fault(kind, message):
            line = " ".join(message.split())  # pydantic's messages have several lines
            return f"raises {kind}: {line}" if line else f"raises {kind}"
        case Crash(reason):
            return f"{'malformed answer' if isinstance(answer, Malformed) else 'crashed'}: {reason}"
        case _:
            return "not claimed"


def _outcome(answer: Answer) -> str:
    return answer.kind if isinstance(answer, Fault) else "a value"


def _distance(difference: Difference) -> str:
    return f", {apart}" if (apart := distance(difference.expected, difference.actual)) else ""


def distance(expected: object, actual: object) -> str:
    """Return the distance between two finite floats, in ULP or, if that is clearer, as a number; otherwise ""."""
    if type(expected) is not float or type(actual) is not float:
        return ""
    ulps = ulp_distance(expected, actual)
    if ulps is None:
        return ""
    apart = abs(actual - expected)
    return f"{apart:.6g} apart" if ulps > _MOST_ULPS and isfinite(apart) else f"{ulps:,} ULP apart"


def safe_repr(value: object) -> str:
    """Return the repr of a value, or the name of the error that its repr raises."""
    try:
        return repr(value)
    except Exception as error:  # an answer may be any object
        return f"<{type(value).__name__} whose repr raises {type(error).__name__}>"


def shortened(text: str, width: int = WIDTH) -> str:
    """Return a string.

    If it is longer than the width, the middle of long numbers is cut out, and then, if needed, the middle of the
    string. A string that was shortened to a larger width before is shortened to the same.
    """
    if len(text) > width:
        text = _DIGITS.sub(lambda digits: f"{digits[0][:3]}…({len(digits[0]):,} digits)…{digits[0][-3:]}", text)
    if len(text) <= width:
        return text
    return f"{text[: width // 2]} … {text[-width // 2 :]}"


def shortened_apart(left: str, right: str, width: int = WIDTH) -> tuple[str, str]:
    """Return two strings, each shortened if it is too long.

    If that hides their difference, the text around it is kept.
    """
    sides = shortened(left, width), shortened(right, width)
    if left == right or sides[0] != sides[1]:
        return sides
    shorter = min(len(left), len(right))
    place = next((place for place in range(shorter) if left[place] != right[place]), shorter)
    start = max(0, place - width // 2)
    return _around(left, start, width), _around(right, start, width)


def _around(text: str, start: int, width: int) -> str:
    before, after = "… " if start else "", " …" if len(text) > start + width else ""
    return f"{before}{text[start : start + width]}{after}"
