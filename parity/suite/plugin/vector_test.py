"""Makes the test of an operation's golden vectors, which every operation has."""

from collections.abc import Callable
from typing import Any

from parity.operations.operation import Operation
from parity.suite.golden_vectors import STALE, check_vectors
from parity.suite.plugin.golden_fixture import Goldens
from parity.suite.plugin.session import Session


def golden_test(operation: Operation[Any]) -> Callable[[Session, Goldens], None]:
    """Return the test of all vectors of an operation, for its module of tests."""

    def test_golden(session: Session, golden: Goldens) -> None:
        """Recorded answers, the wheel and the runner agree on every vector."""
        document = check_vectors(operation, session.checker, session.identity.series, session.recording)

        assert golden.holds(operation.name, document), STALE

    return test_golden
