"""Tests that entries are written in TOML with short lines, and read back unchanged."""

import json
import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parity.operations.goldens import vector_names
from parity.suite.declared.declaration import Declaration, Row
from parity.suite.declared.writing import entry_text, row_text, toml_string
from tests.declared.divergences import RULE, declaring

_RULE = "reward-json/malformed"


@given(st.text(st.characters(exclude_categories=())))
def test_string_round_trips_through_toml(text: str) -> None:
    """Any string round-trips through one line of TOML, with halves of surrogate pairs escaped."""
    read = tomllib.loads(f"key = {toml_string(text)}")["key"]

    assert "\n" not in toml_string(text)
    assert read == text.encode(errors="backslashreplace").decode()


def test_string_with_double_quotes_is_written_without_escapes() -> None:
    """A string with double quotes or backslashes stands in single quotes, as it is."""
    assert toml_string('json/{"a":1}') == """'json/{"a":1}'"""


@pytest.mark.parametrize("count", [1, 2, 60])
def test_names_stand_in_the_order_of_the_file_on_short_lines(count: int) -> None:
    """The names of vectors stand in the order of the golden file, on lines of at most 120 columns."""
    names = vector_names(_RULE)[:count]

    text = row_text(_RULE, Row.model_validate({"pays-out": tuple(reversed(names))}))

    assert tomllib.loads(text) == {_RULE: {"pays-out": [*names]}}
    assert max(map(len, text.splitlines())) <= 120
    assert text.count("\n") == 0 or count == 60


def test_harms_stand_in_their_order_before_cases() -> None:
    """The worst harm comes first in a row, `no-answer` after the others, and cases last, as JSON."""
    row = Row.model_validate(
        {"no-answer": ("thirds/mean",), "pays-out": ("thirds/sum",), "cases": {"form": '{"b": 1}'}}
    )

    line = row_text(RULE, row)

    names = """pays-out = ["thirds/sum"], no-answer = ["thirds/mean"]"""
    assert line == f"""\"{RULE}\" = {{ {names}, cases = {{ form = '{{"b":{{"int":"1"}}}}' }} }}"""


def test_entry_is_written_with_its_comment() -> None:
    """An entry begins with its comment, and its rules stand in the order of the rules."""
    last, first = declaring({"form": ["thirds/sum"]}), declaring({"form": ["none/sum"]}, rule="aggregate/no-trials")
    rows = {**last.rules, **first.rules}
    entry = Declaration.model_construct(class_="to-fix", reason="we round", rules=rows)

    text = entry_text(entry, "another number")

    assert text == (
        '\n# another number\n[[divergence]]\nclass = "to-fix"\nreason = "we round"\n[divergence.rules]\n'
        '"aggregate/no-trials" = { form = ["none/sum"] }\n"aggregate/value" = { form = ["thirds/sum"] }\n'
    )


def test_case_with_a_lone_surrogate_round_trips() -> None:
    """A case with a lone surrogate, and with both kinds of quotes, is the same after it is written and read."""
    entry = declaring(cases={"form": json.dumps({"metric": '\ud800 it\'s "\\n"'})})

    read = tomllib.loads(entry_text(entry))["divergence"][0]["rules"]["aggregate/value"]["cases"]["form"]

    assert json.loads(read) == {"metric": '\ud800 it\'s "\\n"'}
