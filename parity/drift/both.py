"""Asks two releases about the user's own trials."""

from dataclasses import dataclass
from typing import Any

from parity.drift.releases import Release
from parity.drift.vectors import answer_of
from parity.judging.checking import Checker
from parity.judging.divergence import Divergence
from parity.operations.answers import Answer, NotClaimed
from parity.operations.operation import Operation
from parity.runners.asking import Clock


@dataclass(frozen=True)
class Pair:
    """The answers of both releases to one question."""

    old: Answer
    new: Answer
    divergence: Divergence | None
    """None if the answers are equal, or one release has none."""

    lacking: str | None = None
    """The release without an answer and its reason; None if both have one."""


class Both:
    """Two releases that are asked the same; the clock must be installed meanwhile."""

    def __init__(self, old: Release, new: Release, clock: Clock) -> None:
        self.old, self.new, self._clock = old, new, clock
        runner: Any = new.runner
        self._checker = Checker(runner, runner, clock)

    def ask(self, operation: Operation[Any], case: Any, new_case: Any = None) -> Pair:
        """Return both answers to a case; `new_case` is the case for the new release, if it differs.

        Raises:
            ReferenceLost: a release gives no answer.
        """
        other = case if new_case is None else new_case
        old, new = (
            answer_of(release, operation, given, self._clock)
            for release, given in ((self.old, case), (self.new, other))
        )
        for release, answer in ((self.old, old), (self.new, new)):
            if isinstance(answer, NotClaimed):
                return Pair(old, new, None, f"not claimed by {release.label}: {answer.reason}")
        return Pair(old, new, self._checker.compare(operation, other, old, new))
