"""Judges the clean room with one sabotaged function, as the suite does, without shrinking."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from traceback import format_exception
from typing import Any
from unittest import SkipTest

from parity.operations import OPERATIONS
from parity.operations.answers import Answer, Crash, NotClaimed
from parity.operations.finding import SuiteFinding
from parity.operations.goldens import Vector
from parity.operations.operation import Operation
from parity.operations.series import running_series
from parity.reference import Reference, open_reference
from parity.reference.wheel import Wheel
from parity.runners import CleanRoom
from parity.runners.asking import Clock
from parity.suite.checker import Checker
from parity.suite.comparer import Comparer
from parity.suite.divergence import exception_class
from parity.suite.findings import Recorder
from parity.suite.replay import read_replay
from parity.suite.vector_answers import AnsweredVector, judge_vectors
from parity.suite.vector_questions import ask_vectors
from tests.sabotage.functions import sabotaged, vectors_by_function
from tests.spec.drawn import draw

_DRAWN = 20
"""The number of generated cases for each function."""

_DRAWN_FROM = 100
"""The number of generated cases that they are chosen from, so that all tests of an operation generate some."""

_SECONDS = 60.0
"""The time limit for a case. It is long, so that a busy machine makes no function hang."""


@dataclass(frozen=True)
class Pair:
    """A function that the golden vectors of an operation reach."""

    operation: Operation[Any]
    function: str
    vectors: tuple[Vector, ...]
    """The vectors that reach it, the plainest first."""

    @property
    def name(self) -> tuple[str, str]:
        return self.operation.name, self.function


@dataclass(frozen=True)
class Judged:
    """What the judge found when the function raised."""

    vectors: int
    """The number of vectors that were asked, up to the first that diverges."""

    divergences: int
    """The number of reported divergences."""

    error: str = ""
    """The exception that left the suite, with its traceback; empty if there is none."""


def pairs(name: str) -> list[Pair]:
    """Return the operation with each function that its golden vectors reach."""
    operation = OPERATIONS[name]
    reaching = sorted(vectors_by_function(operation).items())
    return [Pair(operation, function, tuple(vectors)) for function, vectors in reaching]


def judge(pair: Pair) -> Judged:
    """Sabotage the function, and ask vectors until one diverges, then generated cases; report what diverges."""
    operation = pair.operation
    checker = Checker(_reference(operation.name), CleanRoom(), Clock(_SECONDS))
    drawn = _drawn(operation.name)
    number_of_vectors = 0
    with TemporaryDirectory() as directory, sabotaged(pair.function), checker.clock.installed():
        try:
            findings: list[SuiteFinding] = []
            for new in _of_vectors(checker, pair):
                number_of_vectors += 1
                findings += new
            findings += _of_drawn(checker, operation, drawn)
            _report(checker, findings, Path(directory))
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            return Judged(number_of_vectors, 0, "".join(format_exception(error)))
    return Judged(number_of_vectors, len(checker.run.worst))


def _of_vectors(checker: Checker, pair: Pair) -> Iterator[list[SuiteFinding]]:
    """Yield the findings for each vector, up to the first vector with any. There, the reference is asked, too."""
    operation = pair.operation
    for vector, answer in zip(pair.vectors, ask_vectors(checker, operation, pair.vectors), strict=True):
        recorded = vector.answer(running_series())
        assert recorded
        assert not isinstance(answer, str)
        findings = judge_vectors(operation, checker, [AnsweredVector(vector, recorded, answer)])
        yield findings
        if findings:
            live = checker.ask_reference(operation, vector.case)
            if not isinstance(live, NotClaimed) and operation.compare(vector.case, recorded, live):
                raise AssertionError(f"the reference answers {vector.id} otherwise: {live}")
            return


def _of_drawn(
    checker: Checker, operation: Operation[Any], drawn: Sequence[tuple[Any, Answer]]
) -> Iterator[SuiteFinding]:
    """Yield the findings for generated cases, up to the first hang."""
    for case, expected in drawn:
        actual = checker.ask_runner(operation, case)
        if divergence := checker.compare(operation, case, expected, actual):
            yield exception_class(*divergence.classified)(divergence)
        if isinstance(actual, Crash) and actual.hung:
            return


def _report(checker: Checker, findings: Sequence[SuiteFinding], directory: Path) -> None:
    """Describe and record the findings, and read their replay files."""
    if findings:
        Recorder(checker, directory, str).record(ExceptionGroup("sabotage", findings))
    for name in checker.run.replay_files:
        read_replay(directory / name)


@cache
def _reference(operation: str) -> Wheel:
    reference = _opened()
    reference.load(operation)
    return reference.wheel


@cache
def _opened() -> Reference:
    return open_reference()


@cache
def _drawn(name: str) -> list[tuple[Any, Answer]]:
    """Return generated cases of all tests of an operation, with the reference's answers."""
    operation, drawn = OPERATIONS[name], _Drawn()
    draw(operation, drawn)
    cases = drawn.cases[:: max(1, len(drawn.cases) // _DRAWN)][:_DRAWN]
    comparer = Comparer(_reference(name), CleanRoom(), Clock(_SECONDS))
    answers = [(case, comparer.ask_reference(operation, case)) for case in cases]
    return [(case, answer) for case, answer in answers if not isinstance(answer, NotClaimed)]


class _Drawn:
    """Keeps generated cases, and asks nobody."""

    def __init__(self) -> None:
        self.cases: list[Any] = []
        self._count = 0

    def check(self, operation: Operation[Any], cases: Sequence[Any]) -> None:
        """Keep the questions of a generated case.

        Raises:
            SkipTest: there are enough.
        """
        if self._count >= _DRAWN_FROM:
            raise SkipTest("enough cases are drawn")
        self._count += 1
        self.cases += cases
