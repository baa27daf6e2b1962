"""Tests that the comparison notices every change in an answer: a number, a string, a list, a key, or an order."""

from collections.abc import Iterator
from itertools import islice
from math import inf, nextafter
from typing import Any

import pytest

from parity.operations import OPERATIONS
from parity.operations.answers import Answer, Fault, Value
from parity.operations.compare import Ordered, Path
from parity.operations.goldens import read_vectors
from parity.operations.series import running_series


def _changed(value: Any, ordered: Ordered, path: Path = ()) -> Iterator[Any]:
    """Yield copies of a value, each with one change at its top or at any depth."""
    match value:
        case None:
            yield 0
        case bool():
            yield from (not value, int(value))
        case int():
            yield from (value + 1, str(value))
            yield from [float(value)] if abs(value) < 2**53 else []
            yield from [bool(value)] if value in (0, 1) else []
        case float():
            yield 0.0 if value != value else nextafter(value, 0.0 if value else inf)
            yield from (same for same in (int(value), -value) if same == value) if value.is_integer() else ()
        case str():
            yield f"{value} "
        case list():
            yield value[:-1] if value else [None]
            for place, each in enumerate(value):
                for changed in _changed(each, ordered, (*path, place)):
                    yield [*value[:place], changed, *value[place + 1 :]]
        case dict():
            yield {**value, "added": None}
            if value:
                first, *others = value
                yield {key: value[key] for key in others}
                yield {f"{key}s" if key == first else key: each for key, each in value.items()}
            if len(value) > 1 and ordered(path):
                yield dict(reversed(value.items()))
            for key, each in value.items():
                for changed in _changed(each, ordered, (*path, key)):
                    yield {**value, key: changed}


def _changed_answers(answer: Answer, ordered: Ordered) -> Iterator[Answer]:
    """Yield different answers: another fault, a value instead of a fault or vice versa, and a value with one change."""
    yield Fault("AnotherError")
    match answer:
        case Fault():
            yield Value(None)
        case Value(value):
            yield from map(Value, _changed(value, ordered))


_STEPS = {"run_trial": 7, "run_job": 7}
"""For operations with many changes: only every n-th change is tried; n is a prime, so that all kinds occur."""


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] if name in _STEPS else []) for name in OPERATIONS]
)
def test_every_change_in_an_answer_is_noticed(name: str) -> None:
    """Each single change in each recorded answer of an operation is noticed."""
    operation = OPERATIONS[name]
    changes = (
        (vector, answer, changed)
        for vector in read_vectors(name)
        if (answer := vector.answer(running_series()))
        for changed in _changed_answers(answer, operation.ordered(vector.case))
    )

    missed = [
        (vector.id, changed)
        for vector, answer, changed in islice(changes, 0, None, _STEPS.get(name, 1))
        if operation.compare(vector.case, answer, changed) is None
    ]

    assert missed == []
