"""Hashes of answers: equal answers have equal hashes, whatever the order of keys if it does not count."""

import re
from typing import Any

import pytest

from parity.operations import OPERATIONS
from parity.operations.answers import Answer, Crash, Fault, Value
from parity.operations.goldens import read_vectors
from parity.scorer.series import OFFICIAL
from parity.suite.vector_answers import answer_hash


def _turned(value: Any) -> Any:
    """Return the value with the keys of every object in the opposite order."""
    if isinstance(value, dict):
        return {key: _turned(each) for key, each in reversed(value.items())}
    return [_turned(each) for each in value] if isinstance(value, list) else value


_LARGE = ("run_trial", "run_job")
"""Operations whose answers take seconds to hash."""


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] if name in _LARGE else []) for name in OPERATIONS]
)
def test_equal_answers_have_equal_hashes(name: str) -> None:
    """Answers have equal hashes exactly if the comparison finds no difference."""
    operation = OPERATIONS[name]
    wrong = []

    for vector in read_vectors(name):
        case, answer = vector.case, vector.answer(OFFICIAL)
        assert answer is not None
        turned = Value(_turned(answer.value)) if isinstance(answer, Value) else answer
        alike = answer_hash(operation, case, answer) == answer_hash(operation, case, turned)
        if alike != (operation.compare(case, answer, turned) is None):
            wrong.append(vector.id)

    assert wrong == []


def test_different_answers_have_different_hashes() -> None:
    """Answers of different types or kinds have different hashes."""
    operation = OPERATIONS["reason_code"]
    case = operation.decode({"text": None})
    answers: list[Answer] = [
        Value(1),
        Value(1.0),
        Value(True),
        Value("1"),
        Value(None),
        Fault("ValueError"),
        Crash("it ended"),
    ]

    assert len({answer_hash(operation, case, answer) for answer in answers}) == len(answers)


def test_deep_answer_has_a_hash() -> None:
    """An answer of any depth has a hash."""
    operation = OPERATIONS["read_reward"]
    case = read_vectors("read_reward")[0].case
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]

    assert re.fullmatch("[0-9a-f]{16}", answer_hash(operation, case, Value(deep)))
