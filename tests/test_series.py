"""Tests that the clean room gives the wheel's answers for each interpreter series, on any interpreter."""

import pytest

from parity.operations import OPERATIONS
from parity.operations.goldens import read_vectors
from parity.runners import CleanRoom
from parity.runners.asking import ask
from parity.scorer import Series

_SUMMING = ("aggregate", "pass_at_k", "trial_reward", "job_stats")


@pytest.mark.parametrize("series", Series)
@pytest.mark.parametrize("name", _SUMMING)
def test_clean_room_gives_the_answers_of_each_series(name: str, series: Series) -> None:
    """The clean room gives the recorded answers for the series to the last bit, on any interpreter."""
    operation, runner = OPERATIONS[name], CleanRoom(series)
    wrong = []
    for vector in read_vectors(name):
        recorded = vector.answer(series)
        with operation.arguments(vector.case) as arguments:
            answer = ask(runner, name, arguments)
        if recorded is None or operation.compare(vector.case, recorded, answer):
            wrong.append(vector.id)

    assert not wrong
