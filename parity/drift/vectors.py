"""Asks two releases the inputs of the golden vectors, and compares their answers exactly."""

from collections import Counter
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
from parity.runners import Runner
from parity.runners.asking import Clock, ask_watched

type Progress = Callable[[str, int], None]
"""Called with each operation, and how many of its vectors are asked."""


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

    lacking: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Label of a release and its reason to how many vectors it does not answer."""

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
    judge = Judge(old, new)
    drifts = []
    with judge.clock.installed():
        for name, vectors in asked.items():
            progress(name, len(vectors))
            drift = OperationDrift(name)
            for vector in vectors:
                judge.ask(OPERATIONS[name], vector, drift)
            drifts.append(drift)
    return drifts


class Judge:
    """Asks both releases, and puts a difference down to a rule."""

    def __init__(self, old: Release, new: Release) -> None:
        self.clock = Clock(Clock.DEFAULT)
        self._old, self._new = old, new
        self._checker = Checker(_as_runner(old), _as_runner(new), self.clock)

    def ask(self, operation: Operation[Any], vector: Vector, drift: OperationDrift) -> None:
        """Put one vector to both, and count what comes of it."""
        expected = self.answer(self._old, operation, vector.case)
        operation.remember(vector.case, expected)
        actual = self.answer(self._new, operation, vector.case)
        lacking = [
            (release.label, answer.reason)
            for release, answer in ((self._old, expected), (self._new, actual))
            if isinstance(answer, NotClaimed)
        ]
        drift.lacking.update(lacking)
        if lacking:
            return
        drift.answered += 1
        if divergence := self.compare(operation, vector.case, expected, actual, vector.rule):
            drift.moved.append(Moved(vector.id, len(canonical(divergence.case)), divergence))

    def answer(self, release: Release, operation: Operation[Any], case: Any) -> Answer:
        """A release's answer; it is given files of its own, since some releases remove what they find."""
        with operation.arguments(case) as arguments:
            return ask_watched(release.runner, operation, arguments, self.clock)

    def compare(
        self, operation: Operation[Any], case: Any, expected: Answer, actual: Answer, rule: str | None = None
    ) -> Divergence | None:
        """The divergence of two answers, if there is one; `rule` is the one that a golden vector shows."""
        return self._checker.compare(operation, case, expected, actual, RULES[rule] if rule else None)


def _as_runner(release: Release) -> Runner:
    runner: Any = release.runner
    return runner  # type: ignore[no-any-return]
