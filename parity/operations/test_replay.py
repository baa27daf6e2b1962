"""Tests the cases that `--replay` selects, and nothing else."""

import pytest

from parity.plugin.session import Session
from parity.suite.checker import Checker


@pytest.mark.replay
def test_replay(session: Session, checker: Checker) -> None:
    """The runner answers each replayed case like the reference, or differs as declared."""
    findings = [checker.check_replay(replay.operation, replay.case) for replay in session.replays]

    if divergences := [each for each in findings if each]:
        raise ExceptionGroup("diverging cases", divergences)
