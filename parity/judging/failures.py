"""The findings of one test, and the decision whether it asks more.

A test that draws cases first collects: it records the first case of each rule, kind and harm, and continues. Then each
of these is shrunk: the same cases are drawn again, and only that rule, kind and harm is raised. Counts alone end both,
so the findings of a run do not depend on the machine.
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
"""The number of crashes in one test that ends its questions; each crash may cost the start of a program."""

_FEWEST = 200
"""The least number of cases that a test draws, even if the first ones diverge: a later case may break another rule."""

_MOST_AFTER_THE_FIRST = 1_000
"""The most cases that a test draws after its first divergence."""

MOST_IN_A_TEST = 1_000
"""The most cases that one test asks for shrinking. Divergences beyond that are shown as they were found."""

MOST_IN_A_RUN = 2_000
"""After this many cases, a run shrinks only divergences of a rule, kind and harm that no earlier test has shrunk."""

MOST_OF_A_LATER_ONE = 20
"""The most cases that are asked to shrink each of these later divergences."""


class EnoughFound(BaseException):
    """Ends the drawing of cases. Not an Exception, because Hypothesis would treat one as a failure of the test."""


@dataclass
class Shrunk:
    """The rules, kinds and harms that a run has shrunk so far, and the number of cases asked to shrink them."""

    asked: int = 0
    kinds: set[Classified] = field(default_factory=set)


@dataclass
class Failures:
    """The findings of one test so far."""

    shrunk: Shrunk = field(default_factory=Shrunk)
    collects: bool = False
    """Whether the test continues after a divergence."""

    found: dict[str, DivergenceFound] = field(default_factory=dict)
    """Divergences by question, so that the same question diverges again without being asked."""

    kinds: dict[Classified, DivergenceFound] = field(default_factory=dict)
    """The simplest divergence of each rule, kind and harm."""

    hung: bool = False
    crashes: int = 0
    drawn: int = 0
    """The number of cases that the test has drawn to collect divergences."""

    target: Classified | None = None
    """The rule, kind and harm that is being shrunk."""

    _first: int = 0
    _last: int = 0
    _start: DivergenceFound | None = None
    _is_seen_again: bool = False
    _asked: int = 0
    _left: int = 0

    @property
    def asks_on(self) -> bool:
        """Return whether more may be asked; not after a hang, because each question would cost the time limit."""
        return not self.hung and self.crashes < _MOST_CRASHES

    def note(self, answer: Answer) -> None:
        """Count an answer if it is a crash."""
        if isinstance(answer, Crash):
            self.hung |= answer.hung
            self.crashes += 1

    def draw(self) -> None:
        """Count a case that is drawn to collect divergences.

        Raises:
            EnoughFound: the runner hung, or twice as many cases were drawn as up to the last new kind of divergence.
        """
        most = max(_FEWEST, min(self._first + _MOST_AFTER_THE_FIRST, self._last * 2))
        if self.collects and self.kinds and (self.drawn >= most or not self.asks_on):
            raise EnoughFound
        self.drawn += 1

    def collect(self, found: DivergenceFound) -> None:
        """Keep a divergence if it is the first or the simplest of its rule, kind and harm.

        Kinds found only while shrinking are left out: no drawn case shows them, so they could not be shrunk.
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
        """Raise only this rule, kind and harm from now on; return False if none of its cases may be asked any more."""
        self.target, self._start, self._is_seen_again = start.divergence.classified, start, False
        if self.shrunk.asked >= MOST_IN_A_RUN:
            self._left = 0 if self.target in self.shrunk.kinds else MOST_OF_A_LATER_ONE
        else:
            self._left = MOST_IN_A_TEST - self._asked
        self.shrunk.kinds.add(self.target)
        return self._left > 0 and self.asks_on

    def may_ask(self) -> bool:
        """Count a possibly smaller case; return False until the case that is to be shrunk has been drawn again.

        Raises:
            EnoughFound: the most cases have been asked.
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
        """Return whether to raise a divergence: the one where shrinking begins, and afterwards all of its kind."""
        self._is_seen_again = self._is_seen_again or found is self._start
        return self._is_seen_again and found.divergence.classified == self.target


def question_key(operation: Operation[Any], question: Any) -> str:
    """Return a text that is the same for equal questions."""
    return canonical([operation.name, operation.encode(question)])
