"""The text of result.json is pydantic's: numbers as values and keys, strings, and layout."""

import json
import re
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pydantic import BaseModel

from parity.operations.files.number_strategies import numbers
from parity.scorer import Number
from parity.scorer.result_text import ObjectPairs, json_text, key_text, value_text

_numbers = st.one_of(numbers, st.floats(), st.floats(1e-8, 1e-3), st.floats(1e14, 1e18), st.integers())


class _Stats(BaseModel):
    """A model with the types of numbers in Harbor's own model."""

    cost: float | None = None
    metric: dict[str, object] = {}
    rewards: dict[float | int, list[str]] = {}


@given(_numbers)
@example(1e-5)
@example(9.999999999999999e-06)
@example(1e16)
@example(9999999999999998.0)
def test_numbers_are_spelled_as_pydantic_does(number: Number) -> None:
    """Numbers are spelled as by pydantic: as a typed value, as any value, and as a key."""
    dumped = _Stats(cost=number if isinstance(number, float) else None, metric={"x": number}, rewards={number: []})

    spelled = re.search(r'cost":(.*?),"metric":{"x":(.*?)},"rewards":{"(.*?)"', dumped.model_dump_json())

    assert spelled
    assert spelled[1] == (value_text(number) if isinstance(number, float) else "null")
    assert spelled[2] == value_text(number)
    assert spelled[3] == key_text(number)


_values = st.one_of(st.booleans(), st.text(st.characters(codec="utf-8")), st.lists(_numbers, max_size=3))


@given(st.dictionaries(st.text(), _values))
def test_documents_are_laid_out_as_pydantic_does(members: dict[str, Any]) -> None:
    """Documents have pydantic's indentation, empty containers, escapes and halves of surrogate pairs."""
    expected = _Stats(metric=members).model_dump_json(indent=4, include={"metric"})

    assert expected == json_text({"metric": members})


@pytest.mark.parametrize("digits", [4299, 4300, 4301, 8001, 12000])
def test_long_integers_are_written(digits: int) -> None:
    """Integers of any length are written, although Python refuses them."""
    number = 10**digits + 7

    assert value_text(-number) == "-1" + "0" * (digits - 1) + "7"


def test_a_key_may_be_repeated() -> None:
    """An object may repeat a key, because every nan is a separate key."""
    text = json_text(ObjectPairs([("nan", ["a"]), ("nan", ["b"])]), depth=1)

    assert json.loads(text, object_pairs_hook=list) == [("nan", ["a"]), ("nan", ["b"])]


def test_half_a_pair_in_a_string_is_refused() -> None:
    """Half of a surrogate pair is refused in a string, but written in a key."""
    with pytest.raises(UnicodeEncodeError):
        json_text(["\ud800"])
