"""Makes the test of golden vectors that every operation has."""

from collections.abc import Callable
from typing import Any

from parity.operations.operation import Operation
from parity.plugin.golden_fixture import Goldens
from parity.plugin.session import Session
from parity.suite.golden_vectors import STALE, check_vectors


def golden_test(operation: Operation[Any]) -> Callable[[Session, Goldens], None]:
    """Return the test of all vectors of an operation, for the operation's test module."""

    def test_golden(session: Session, golden: Goldens) -> None:
        """The recorded answers, the wheel and the runner agree on every vector."""
        document = check_vectors(operation, session.checker, session.identity.series, session.recording)

        assert golden.holds(operation.name, document), STALE

    return test_golden
