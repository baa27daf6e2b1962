"""Tests that the calls into which faults are drawn are those that the reference makes."""

from pathlib import Path

import pytest

from parity.operations.scenarios.event_strategies import TRIALS_WITH_MANY_CALLS, purposes
from parity.reference.recorded import run_trial_scenario


@pytest.mark.parametrize("number", range(len(TRIALS_WITH_MANY_CALLS)))
def test_purposes_are_those_of_the_wheels_calls(number: int, tmp_path: Path) -> None:
    """The listed purposes of a trial's calls are those of the wheel's trial, in order."""
    record = run_trial_scenario(TRIALS_WITH_MANY_CALLS[number], tmp_path)

    assert purposes(number) == [purpose for call in record["calls"] for purpose in call]
