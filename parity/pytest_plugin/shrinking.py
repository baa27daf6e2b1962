"""Ends shrinking by counts: a runner that diverges nearly everywhere has thousands of divergences to shrink.

Hypothesis shrinks a case for each rule, kind and harm that a test finds, which takes some hundred calls each, and ends
after five minutes with a warning; so the report of a busy machine would be another one. Where a runner has few faults,
these counts are not reached, and all of its cases are shrunk.
"""

from math import inf
from typing import Any

from hypothesis.internal.conjecture import engine
from hypothesis.internal.conjecture.engine import ConjectureRunner
from hypothesis.internal.conjecture.shrinker import Shrinker, StopShrinking

MOST_IN_A_TEST = 1_000
"""Calls in which one test shrinks; what is left is shown as it was found."""

MOST_IN_A_RUN = 2_000
"""Calls after which cases are shrunk a little, and none of a rule, kind and harm of which one has been shrunk."""

MOST_OF_A_LATER_CASE = 20
"""Calls in which one of these cases is shrunk."""

_shrink = ConjectureRunner.shrink


def limit_shrinking() -> None:
    """Limit the run that begins; what was counted before is forgotten."""
    calls = 0
    most = inf
    shrunk = set[object]()

    def shrink(self: ConjectureRunner, initial: Any, *further: Any) -> Any:
        nonlocal calls, most
        if calls >= MOST_IN_A_RUN:
            most = MOST_OF_A_LATER_CASE
            if initial.interesting_origin in shrunk:
                return initial
        before = self.call_count
        try:
            return _shrink(self, initial, *further)
        finally:
            calls += self.call_count - before
            shrunk.add(initial.interesting_origin)

    def check_calls(self: Shrinker) -> None:
        """As Hypothesis has it, and for the calls of the test and, later, of the case."""
        began = vars(self.engine).setdefault("shrinking_began", self.initial_calls)
        fruitless = self.calls - self.calls_at_last_shrink >= self.max_stall
        if fruitless or self.calls - began >= MOST_IN_A_TEST or self.calls - self.initial_calls >= most:
            raise StopShrinking

    engine.MAX_SHRINKING_SECONDS = inf  # type: ignore[assignment]
    ConjectureRunner.shrink = shrink  # type: ignore[assignment,method-assign]
    Shrinker.check_calls = check_calls  # type: ignore[method-assign]
