"""Recognises a runner whose answers have the wrong shape, such as None from a method without `return`, or that crashes.

Such a runner is reported in one line that names no rule, because every rule would look broken. Before the first test of
an operation, the runner is called with a few golden vectors. The first answer with the right shape, or the first error,
ends the check. A crash is neither: only if the runner crashes at vectors of all kinds, it is reported likewise.
"""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from parity.operations.answers import Answer, Crash, Value
from parity.operations.finding import SuiteFinding
from parity.operations.goldens import read_vectors
from parity.operations.operation import Operation
from parity.scorer.series import Series
from parity.suite.checker import Checker
from parity.suite.divergence import safe_repr, shortened

_ASKED = 5
"""Number of answers that must all have the wrong shape."""

_CRASHES = 10
"""Number of vectors, evenly spread from short to long ones, at which a runner must crash."""

_WIDTH = 60

_FREE_KEYS = frozenset({"pass_at_k", "trial_score"})
"""Operations whose outermost keys depend on the case, so that rules decide about these keys."""

_KINDS = {dict: "a dict", list: "a list", str: "a str", bool: "a bool", int: "an int", float: "a float"}


class WrongShape(SuiteFinding):
    """No answer to an operation has the right shape."""


def wrong_shape[Case](operation: Operation[Case], checker: Checker, series: Series) -> str | None:
    """Return a sentence about the runner's answers if no answer has the right shape; otherwise None."""
    sentence = None
    for case, expected in islice(_samples(operation, series), _ASKED):
        answer = checker.ask_runner(operation, case)
        if sentence is None and _reason_of_crash(answer) is not None:
            samples = [*_samples(operation, series)]
            return _crash_at_all(operation, checker, samples[:: max(1, len(samples) // _CRASHES)][:_CRASHES])
        if not isinstance(answer, Value) or _fits(operation, expected, answer.value):
            return None
        expected_answer = f"{_KINDS[type(expected)]} such as {shortened(safe_repr(expected), _WIDTH)}"
        actual_answer = shortened(safe_repr(answer.value), _WIDTH)
        sentence = sentence or f"`{operation.name}` returned {actual_answer}; it should return {expected_answer}"
    return sentence


def _crash_at_all[Case](
    operation: Operation[Case], checker: Checker, samples: Sequence[tuple[Case, object]]
) -> str | None:
    """Return a sentence about the runner if it crashes at each sample; otherwise None."""
    reasons: list[str] = []
    for case, _ in samples:
        reason = _reason_of_crash(checker.ask_runner(operation, case))
        if reason is None:
            return None
        reasons.append(reason)
    return f"`{operation.name}` crashed at each of {len(reasons)} vectors: {reasons[0]}"


def _reason_of_crash(answer: Answer) -> str | None:
    """Return why the runner crashed; None for any other answer, also a hang or a malformed one, which rules report."""
    return answer.reason if type(answer) is Crash and not answer.hung else None


def _samples[Case](operation: Operation[Case], series: Series) -> Iterator[tuple[Case, object]]:
    """Yield cases with a recorded value other than None and `{}`, the shortest first."""
    for vector in sorted(read_vectors(operation.name), key=lambda each: len(str(each.input))):
        answer = vector.answer(series)
        if isinstance(answer, Value) and answer.value not in (None, {}) and not operation.needs_modes(vector.case):
            yield vector.case, answer.value


def _fits(operation: Operation[Any], expected: object, actual: object) -> bool:
    if isinstance(expected, bool | int | float):
        return isinstance(actual, bool | int | float)
    if not isinstance(actual, type(expected)):
        return False
    if not (isinstance(expected, dict) and isinstance(actual, dict) and expected and actual):
        return True
    if operation.name not in _FREE_KEYS and not any(key in expected for key in actual):
        return False
    levels = {isinstance(value, dict | list) for value in expected.values()}
    return len(levels) > 1 or any(isinstance(value, dict | list) in levels for value in actual.values())
