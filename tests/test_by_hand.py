"""The clean room gives the answers that were derived by hand, for both series."""

import json

import pytest

from parity.judging.comparing import left_out
from parity.operations import OPERATIONS
from parity.operations.answers import Value
from parity.operations.compare import compare_answers
from parity.operations.vectors import VECTORS
from parity.runners import CleanRoom
from parity.runners.asking import ask
from parity.scorer import Series

_BY_HAND = [name for name, vectors in VECTORS.items() if any(vector.by_hand for vector in vectors)]


@pytest.mark.needs("utf-8")
@pytest.mark.parametrize("series", Series)
@pytest.mark.parametrize("operation", _BY_HAND)
def test_the_clean_room_answers_as_derived(operation: str, series: Series) -> None:
    """The clean room gives the derived answers for either series, on any interpreter."""
    asked = OPERATIONS[operation]
    wrong = []
    for vector in VECTORS[operation]:
        if left_out(asked, vector.case):
            continue
        with asked.arguments(vector.case) as arguments:
            answer = ask(CleanRoom(series), operation, arguments)
        if vector.by_hand is None or compare_answers(
            vector.by_hand[series], answer, ordered=asked.ordered(vector.case)
        ):
            wrong.append(vector.id)

    assert not wrong


@pytest.mark.parametrize("operation", _BY_HAND)
def test_series_differ_in_few_answers(operation: str) -> None:
    """The answers of the two series differ only by the rules on `int`, `float` and forbidden folders."""
    differing = {
        vector.rule
        for vector in VECTORS[operation]
        if vector.by_hand and vector.by_hand[Series.PY312] != vector.by_hand[Series.PY314]
    }

    assert differing <= {"outcome/unsearchable-folder", "outcome/count", "outcome/metric-value"}


def test_lines_derived_by_hand_are_json() -> None:
    """The line has the other fields as JSON, with sorted keys."""
    for vector in VECTORS["outcome"]:
        for answer in (vector.by_hand or {}).values():
            if isinstance(answer, Value) and answer.value["total"] < 10**4000:  # type: ignore[index]
                fields = dict(answer.value)  # type: ignore[call-overload]
                line = fields.pop("line")

                assert line == f"BASE_BENCHMARK_RESULT={json.dumps(fields, sort_keys=True)}"
