"""The wheel still answers every golden vector as recorded: runs of the suite take that from the environment's pins."""

import pytest

from parity.judging.checking import Checker
from parity.judging.golden_vectors import STALE, check_vectors
from parity.operations import OPERATIONS
from parity.operations.vectors import VECTORS
from parity.pytest_plugin.goldens import RecordedGoldens
from parity.runners import CleanRoom
from parity.runners.asking import Clock
from tests.drawn_cases import reference


@pytest.mark.long
@pytest.mark.parametrize("operation", OPERATIONS)
def test_the_wheel_answers_as_recorded(operation: str) -> None:
    """What recording writes today is what the file holds, to the letter."""
    wheel = reference()
    wheel.load(operation)
    checker = Checker(wheel.authorities, CleanRoom(), Clock(600.0))

    document = check_vectors(OPERATIONS[operation], VECTORS[operation], checker, wheel.identity.series, recording=True)

    assert RecordedGoldens().holds(operation, document), STALE
