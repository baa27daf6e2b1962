"""Finds what diverges in the cases that a test draws, and shrinks one case of each kind."""

from collections.abc import Callable
from contextlib import suppress

from parity.judging.checking import Checker
from parity.judging.divergence import DivergenceFound
from parity.judging.failures import EnoughFound


def find_and_shrink(checker: Checker, test: Callable[[], None]) -> None:
    """Run a test that draws cases, then once more for each rule, kind and harm that it found, to shrink a case of it.

    Args:
        checker: what the test asks.
        test: draws the same cases whenever it is called.

    Raises:
        BaseExceptionGroup: the smallest divergence of each rule, kind and harm, and whatever else the test raised.
    """
    failures = checker.collect()
    raised: list[Exception] = []
    try:
        with suppress(EnoughFound):
            test()
    except Exception as error:
        raised.append(error)
    for start in list(failures.kinds.values()):
        if failures.begin_shrinking(start):
            with suppress(DivergenceFound, EnoughFound):  # the plainest has been collected
                test()
    raised = [*failures.kinds.values(), *raised]
    if len(raised) == 1:
        raise raised[0]
    if raised:
        raise ExceptionGroup("what the drawn cases show", raised)
