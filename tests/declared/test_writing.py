"""Tests that strings and JSON values round-trip through TOML."""

import json
import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parity.suite.declared.writing import toml_json, toml_string, vectors_lines


@given(st.text(st.characters(exclude_categories=())))
def test_string_round_trips_through_toml(text: str) -> None:
    """Any string round-trips through one line of TOML, with halves of surrogate pairs escaped."""
    read = tomllib.loads(f"key = {toml_string(text)}")["key"]

    assert "\n" not in toml_string(text)
    assert read == text.encode(errors="backslashreplace").decode()


@pytest.mark.parametrize("value", ["it's", "\x7f", "\ud800", 'a "quoted" \\ one', "\U0001f600", "\n\t\0"])
def test_json_value_round_trips_through_toml(value: str) -> None:
    """A JSON value round-trips through TOML, halves of surrogate pairs included."""
    read = tomllib.loads(f"key = {toml_json({'k': value})}")["key"]

    assert json.loads(read) == {"k": value}


@pytest.mark.parametrize("count", [0, 1, 3, 4, 300])
def test_vector_ids_round_trip_in_short_lines(count: int) -> None:
    """The ids of vectors are sorted, and several share a line of at most 120 columns."""
    ids = [f'reward-json/number-string/json/{{"a-b":%20"{number:03}"}}' for number in range(count)]

    lines = vectors_lines(reversed(ids))

    assert tomllib.loads("\n".join(lines))["vectors"] == ids
    assert max(map(len, lines)) <= 120
    assert len(lines) <= 3 + count // 2
