"""Asks two releases the inputs of the golden vectors, and compares their answers exactly.

`by_rule` sorts the vectors that moved: the worst harm first, each rule with its smallest case.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from parity.drift.releases import Release
from parity.judging.checking import Checker
from parity.judging.divergence import Divergence
from parity.judging.harm import Harm, rank, worst
from parity.operations import OPERATIONS
from parity.operations.answers import Answer, NotClaimed
from parity.operations.operation import HARBOR, Operation
from parity.operations.rule import Rule
from parity.operations.rules import RULES
from parity.operations.vector import Vector
from parity.operations.vectors import VECTORS
from parity.operations.wire import canonical
from parity.runners.asking import Clock, ask

type Progress = Callable[[str, int], None]
"""A function that is called with each operation and the number of its vectors."""

type Expected = Callable[[Operation[Any], Vector], Answer]


@dataclass(frozen=True)
class Moved:
    """A vector that the two releases answer differently."""

    vector: str
    size: int
    """The size of its case on the wire, in characters."""

    divergence: Divergence


@dataclass
class OperationDrift:
    """The result of comparing the vectors of one operation."""

    name: str
    answered: int = 0
    """Vectors that both releases answered."""

    lacking: dict[tuple[str, str], list[str]] = field(default_factory=dict)
    """The ids of the vectors without an answer, by the label of the release and its reason."""

    moved: list[Moved] = field(default_factory=list)


def chosen_vectors(texts: Iterable[str] = ()) -> dict[str, list[Vector]]:
    """Return the golden vectors that Harbor decides, by operation.

    Args:
        texts: parts of operations or ids; only vectors with one of them are returned. Without texts, all are.
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
    """Return the differences between two releases, operation by operation.

    Raises:
        ReferenceLost: a release gives no answer.
    """
    clock = Clock(Clock.DEFAULT)
    judge = Judge(old.label, lambda operation, vector: answer_of(old, operation, vector.case, clock), new, clock)
    with clock.installed():
        return judge.compare(asked, progress)


def answer_of(release: Release, operation: Operation[Any], case: Any, clock: Clock) -> Answer:
    """Return a release's answer to a case. The release gets its own copy of the files, which it may change."""
    if (reason := release.lacking.get(operation.name)) is not None:
        return NotClaimed(reason)
    with operation.arguments(case) as arguments:
        return ask(release.runner, operation.name, arguments, clock)


class Judge:
    """Compares a release with expected answers, which are another release's, live or recorded.

    Args:
        label: the name of the other release.
        expected: a function that returns the other release's answers.
        new: the release to ask.
        clock: the time limit; it must be installed meanwhile.
    """

    def __init__(self, label: str, expected: Expected, new: Release, clock: Clock) -> None:
        self._label, self._expected, self._new, self._clock = label, expected, new, clock
        runner: Any = new.runner
        self._checker = Checker(runner, runner, clock)

    def compare(self, asked: dict[str, list[Vector]], progress: Progress) -> list[OperationDrift]:
        """Ask all vectors, and return the differences, operation by operation.

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
        """Ask one vector, and add the result to the operation's results."""
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


@dataclass(frozen=True)
class RuleDrift:
    """A rule, and the vectors whose different answers it explains."""

    rule: Rule
    moved: tuple[Moved, ...]

    @property
    def harm(self) -> Harm:
        """Return the worst harm of the rule's vectors."""
        return worst(moved.divergence.harm for moved in self.moved)

    @property
    def smallest(self) -> Moved:
        """Return the smallest case with the worst harm."""
        return min((moved for moved in self.moved if moved.divergence.harm == self.harm), key=lambda moved: moved.size)


def by_rule(drifts: Iterable[OperationDrift]) -> list[RuleDrift]:
    """Return the rules of different answers, the most harmful first; rules of equal harm in the order of operations."""
    found: dict[str, list[Moved]] = {}
    for drift in drifts:
        for moved in drift.moved:
            found.setdefault(moved.divergence.rule.slug, []).append(moved)
    rules = [RuleDrift(each[0].divergence.rule, tuple(each)) for each in found.values()]
    return sorted(rules, key=lambda rule: rank(rule.harm))
