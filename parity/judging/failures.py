"""What one test has found, and what it still asks.

A test that draws cases first collects: it notes the first case of each rule, kind and harm, and goes on. Then each of
these is shrunk: the same cases are drawn again, and only that rule, kind and harm is raised. Counts alone end both, so
what a run finds does not depend on the machine.
"""

from dataclasses import dataclass, field
from typing import Any

from parity.judging.difference_kind import DifferenceKind
from parity.judging.divergence import DivergenceFound
from parity.judging.harm import Harm
from parity.operations.answers import Answer, Crash
from parity.operations.operation import Operation
from parity.operations.wire import canonical

type Classified = tuple[str, DifferenceKind, Harm]
"""A rule, a kind and a harm."""

_MOST_CRASHES = 50
"""Crashes in one test after which nothing is asked; each may cost the start of a program."""

_FEWEST = 200
"""Cases that a test draws even if the first ones diverge: a later one may break another rule."""

_MOST_AFTER_THE_FIRST = 1_000
"""Cases that a test draws after its first divergence."""

MOST_IN_A_TEST = 1_000
"""Cases that one test asks to shrink; what is left is shown as it was found."""

MOST_IN_A_RUN = 2_000
"""Cases after which only what no earlier test has shrunk is shrunk, and that a little."""

MOST_OF_A_LATER_ONE = 20
"""Cases that are asked to shrink one of these."""


class EnoughFound(BaseException):
    """Ends the drawing of cases. Hypothesis takes an Exception for a failure, and passes this on."""


@dataclass
class Shrunk:
    """What a run has shrunk so far."""

    asked: int = 0
    kinds: set[Classified] = field(default_factory=set)


@dataclass
class Failures:
    """What one test has found so far."""

    shrunk: Shrunk = field(default_factory=Shrunk)
    collects: bool = False
    """Whether the test goes on after a divergence."""

    found: dict[str, DivergenceFound] = field(default_factory=dict)
    """By the question, so that the same question diverges again without being asked."""

    kinds: dict[Classified, DivergenceFound] = field(default_factory=dict)
    """The plainest divergence of each rule, kind and harm."""

    hung: bool = False
    crashes: int = 0
    drawn: int = 0
    """Cases that the test has drawn to collect."""

    target: Classified | None = None
    """What is being shrunk."""

    _first: int = 0
    _last: int = 0
    _start: DivergenceFound | None = None
    _is_seen_again: bool = False
    _asked: int = 0
    _left: int = 0

    @property
    def asks_on(self) -> bool:
        """Whether more is asked. After a hang nothing is, because each step of shrinking would cost the time limit."""
        return not self.hung and self.crashes < _MOST_CRASHES

    def note(self, answer: Answer) -> None:
        """Record an answer that is a crash."""
        if isinstance(answer, Crash):
            self.hung |= answer.hung
            self.crashes += 1

    def draw(self) -> None:
        """Count a case that is drawn to collect.

        Raises:
            EnoughFound: the runner hung, or as many cases as led to the last new kind of divergence led to no other.
        """
        most = max(_FEWEST, min(self._first + _MOST_AFTER_THE_FIRST, self._last * 2))
        if self.collects and self.kinds and (self.drawn >= most or not self.asks_on):
            raise EnoughFound
        self.drawn += 1

    def collect(self, found: DivergenceFound) -> None:
        """Note a divergence, if it is the first or the plainest of its rule, kind and harm.

        Kinds that only shrinking comes upon are left out: no drawn case shows them, so they could not be shrunk.
        """
        kind, plainness = found.divergence.classified, found.divergence.plainness
        if kind not in self.kinds:
            if self.target:
                return
            self._first = self._first or self.drawn
            self._last = self.drawn
            self.kinds[kind] = found
        before = self.kinds[kind].divergence.plainness
        if plainness < before or (plainness == before and kind == self.target):  # shrinking prefers the later one
            self.kinds[kind] = found

    def begin_shrinking(self, start: DivergenceFound) -> bool:
        """Raise only one rule, kind and harm, from this case on; False if none of its cases may be asked any more."""
        self.target, self._start, self._is_seen_again = start.divergence.classified, start, False
        if self.shrunk.asked >= MOST_IN_A_RUN:
            self._left = 0 if self.target in self.shrunk.kinds else MOST_OF_A_LATER_ONE
        else:
            self._left = MOST_IN_A_TEST - self._asked
        self.shrunk.kinds.add(self.target)
        return self._left > 0 and self.asks_on

    def may_ask(self) -> bool:
        """Count a case that may be smaller; False before the case that is to be shrunk was drawn again.

        Raises:
            EnoughFound: as many were asked as may be.
        """
        if not self._is_seen_again:
            return False
        if not self._left or not self.asks_on:
            raise EnoughFound
        self._left -= 1
        self._asked += 1
        self.shrunk.asked += 1
        return True

    def is_target(self, found: DivergenceFound) -> bool:
        """Whether a divergence is to be raised: the one that shrinking begins at, and then all of its kind."""
        self._is_seen_again = self._is_seen_again or found is self._start
        return self._is_seen_again and found.divergence.classified == self.target


def question_key(operation: Operation[Any], question: Any) -> str:
    """A text that is the same for the same question."""
    return canonical([operation.name, operation.encode(question)])
