"""Tests the cases that `--replay` selects, and nothing else."""

import pytest

from parity.plugin.session import Session
from parity.suite.checker import Checker
from parity.suite.comparer import left_out
from parity.suite.divergence import DivergenceFound


@pytest.mark.replay
def test_replay(session: Session, checker: Checker) -> None:
    """The runner answers each replayed case like the reference, or differs as declared."""
    divergences = []
    for replay in session.replays:
        counts = checker.tally.operations[replay.operation.name]
        counts.cases += 1
        if why := left_out(replay.operation, replay.case):
            counts.unanswered[why.reason] += 1
            continue
        counts.comparisons += 1
        divergence = checker.diverges(replay.operation, replay.case)
        if divergence and not checker.accept_declared(divergence):
            divergences.append(checker.keep(DivergenceFound(divergence)))

    if divergences:
        raise ExceptionGroup("diverging cases", divergences)
