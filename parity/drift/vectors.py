"""Asks two releases the inputs of the golden vectors, and compares their answers exactly."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from parity.drift.releases import Release
from parity.judging.checking import Checker
from parity.judging.divergence import Divergence
from parity.operations import OPERATIONS
from parity.operations.answers import Answer, NotClaimed
from parity.operations.operation import HARBOR, Operation
from parity.operations.rules import RULES
from parity.operations.vector import Vector
from parity.operations.vectors import VECTORS
from parity.operations.wire import canonical
from parity.runners.asking import Clock, ask

type Progress = Callable[[str, int], None]
"""Called with each operation, and how many of its vectors are asked."""

type Expected = Callable[[Operation[Any], Vector], Answer]


@dataclass(frozen=True)
class Moved:
    """A vector that the new release answers otherwise than the old one."""

    vector: str
    size: int
    """Of its case on the wire, in characters."""

    divergence: Divergence


@dataclass
class OperationDrift:
    """What came of the vectors of one operation."""

    name: str
    answered: int = 0
    """Vectors that both releases answered."""

    lacking: dict[tuple[str, str], list[str]] = field(default_factory=dict)
    """Label of a release and its reason to the ids of the vectors that it does not answer."""

    moved: list[Moved] = field(default_factory=list)


def chosen_vectors(texts: Iterable[str] = ()) -> dict[str, list[Vector]]:
    """The golden vectors, by operation, without those that no release of Harbor decides.

    Args:
        texts: a vector's operation or id must contain one of them; none chooses all.
    """
    wanted = tuple(texts) or ("",)
    found = {
        name: [vector for vector in vectors if _is_chosen(name, vector, wanted) and _is_harbors(name, vector)]
        for name, vectors in VECTORS.items()
    }
    return {name: vectors for name, vectors in found.items() if vectors}


def _is_chosen(operation: str, vector: Vector, texts: tuple[str, ...]) -> bool:
    return any(text in part for text in texts for part in (operation, vector.id))


def _is_harbors(name: str, vector: Vector) -> bool:
    operation = OPERATIONS[name]
    return operation.authority(operation.flags(vector.case)) == HARBOR


def compare_releases(
    old: Release, new: Release, asked: dict[str, list[Vector]], progress: Progress
) -> list[OperationDrift]:
    """What the new release answers otherwise than the old one, operation by operation.

    Raises:
        ReferenceLost: one of them gives no answer.
    """
    clock = Clock(Clock.DEFAULT)
    judge = Judge(old.label, lambda operation, vector: answer_of(old, operation, vector.case, clock), new, clock)
    with clock.installed():
        return judge.compare(asked, progress)


def answer_of(release: Release, operation: Operation[Any], case: Any, clock: Clock) -> Answer:
    """A release's answer; it is given files of its own, and may do with them what it likes."""
    if (reason := release.lacking.get(operation.name)) is not None:
        return NotClaimed(reason)
    with operation.arguments(case) as arguments:
        return ask(release.runner, operation.name, arguments, clock)


class Judge:
    """Compares what a release answers with the answers of another, wherever these come from.

    Args:
        label: names the other one.
        expected: gives its answers.
        new: is asked.
        clock: is installed meanwhile.
    """

    def __init__(self, label: str, expected: Expected, new: Release, clock: Clock) -> None:
        self._label, self._expected, self._new, self._clock = label, expected, new, clock
        runner: Any = new.runner
        self._checker = Checker(runner, runner, clock)

    def compare(self, asked: dict[str, list[Vector]], progress: Progress) -> list[OperationDrift]:
        """Ask all vectors, operation by operation.

        Raises:
            ReferenceLost: a release gives no answer.
        """
        drifts = []
        for name, vectors in asked.items():
            progress(name, len(vectors))
            drift = OperationDrift(name)
            for vector in vectors:
                self._ask(vector, drift)
            drifts.append(drift)
        return drifts

    def _ask(self, vector: Vector, drift: OperationDrift) -> None:
        """Ask one vector, and count what comes of it."""
        operation = OPERATIONS[drift.name]
        expected = self._expected(operation, vector)
        if not isinstance(expected, NotClaimed):
            operation.remember(vector.case, expected)
        actual = answer_of(self._new, operation, vector.case, self._clock)
        sides = ((self._label, expected), (self._new.label, actual))
        if lacking := [(name, answer.reason) for name, answer in sides if isinstance(answer, NotClaimed)]:
            for lack in lacking:
                drift.lacking.setdefault(lack, []).append(vector.id)
            return
        drift.answered += 1
        if divergence := self._checker.compare(operation, vector.case, expected, actual, RULES[vector.rule]):
            drift.moved.append(Moved(vector.id, len(canonical(divergence.case)), divergence))
