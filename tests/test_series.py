"""The clean room gives the wheel's answers of either series, on any interpreter."""

import pytest

from parity.operations import OPERATIONS
from parity.operations.goldens import read_entries, recorded_answer
from parity.operations.operation import decode_answer
from parity.runners import CleanRoom
from parity.runners.asking import ask
from parity.scorer import Series

_SUMMING = ("aggregate", "pass_at_k", "trial_reward", "job_stats")


@pytest.mark.parametrize("series", Series)
@pytest.mark.parametrize("name", _SUMMING)
def test_either_series_on_any_interpreter(name: str, series: Series) -> None:
    """The clean room gives the recorded answers of a series to the last bit, on any interpreter."""
    operation, runner = OPERATIONS[name], CleanRoom(series)
    wrong = []
    for vector, entry in read_entries(name).items():
        case = operation.decode(entry["input"])
        recorded = recorded_answer(entry, series)
        with operation.arguments(case) as arguments:
            answer = ask(runner, name, arguments)
        if recorded is None or operation.compare(case, decode_answer(operation, recorded), answer):
            wrong.append(vector)

    assert not wrong


@pytest.mark.parametrize("name", ["aggregate", "trial_reward", "job_stats"])
def test_the_series_differ(name: str) -> None:
    """Some vectors have different answers in the two series."""
    differing = [vector for vector, entry in read_entries(name).items() if len(entry.get("answers", {})) > 1]

    assert differing
