"""Tests that templates in variables are resolved, and secrets in documents are hidden, as in Harbor."""

import os
from unittest.mock import patch

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from parity.driver.documents.lock import sanitized
from parity.driver.documents.templates import missing_variables, resolve, templatize
from tests.driver import wheel_documents as wheel

pytestmark = pytest.mark.needs("utf-8")

_strings = st.text(st.characters(codec="utf-8"), max_size=12)
_names = _strings | st.sampled_from(
    ["PATH", "API_KEY", "api_token", "MY_PASSWORDS", "AUTHOR", "CREDENTIAL", "ſecret"]
)  # fmt: skip
_templates = ["${A}", "${A:-}", "${A:-x}y", "${}", "${A:B}", "${A:-x\ny}", "${A:-${B}}", "12345678", "123456789"]
_values = _strings | st.sampled_from(_templates) | st.text("${}:-AB\n ", max_size=10)
_envs = st.dictionaries(_names, _values, max_size=3)
_hosts = st.dictionaries(st.sampled_from(["A", "B", "AB", "API_KEY"]), st.sampled_from(["", "x", "${B}"]))
_ODD = {value: value for value in ("${A:-}", "${A:-x}y", "${A:-x}y}", "${}", "${A:B}", "${ A}", "${A}b}")}


@given(_envs, _hosts)
@example(_ODD, {})
@example(_ODD, {"A": ""})
@example({"x": "${A:-a\nb}", "y": "${A\n:-b}", "z": "${A:-b}\n"}, {})
def test_templates_are_resolved_as_by_harbor(env: dict[str, str], host: dict[str, str]) -> None:
    """Templates are resolved or refused as in Harbor, and each missing variable is listed once."""
    with patch.dict(os.environ, host, clear=True):
        try:
            expected: object = wheel.resolve(env)
        except ValueError:
            expected = ValueError
    missing = {name: None for name, default in wheel.required_variables(env) if default is None and name not in host}

    try:
        actual: object = resolve(env, host)
    except ValueError:
        actual = ValueError

    assert actual == expected
    assert missing_variables(env, host) == list(missing)


def test_missing_variable_is_reported() -> None:
    """The error reports the missing variable and the remedy."""
    with pytest.raises(ValueError, match=r"variable B is not set on the host; set it, or give a default") as caught:
        resolve({"X": "${B}"}, {"A": ""})

    assert caught.type is ValueError


@given(_envs, st.booleans())
def test_secrets_are_written_as_by_harbor(env: dict[str, str], shared: bool) -> None:
    """A secret becomes `${NAME}` if the host has a variable of that name and value; other secrets are redacted."""
    usable = {name: value for name, value in env.items() if name and "=" not in name and "\0" not in name + value}
    host = usable if shared else {}
    with patch.dict(os.environ, host, clear=True):
        expected = wheel.templatize(env)

    actual = templatize(env, host)

    assert actual == expected


_options = st.sampled_from(["--ae", "--agent-env", "--ve", "--verifier-env", "--ae=API_KEY=123456789", "--ve=", "-k"])
_assignments = st.builds("{}={}".format, _names, _values)


@given(st.lists(_options | _assignments | _strings, max_size=6), st.booleans())
@example(["--ae", "API_KEY = 123456789 ", "--ae", "--ve", "API_KEY=1"], True)
@example(["parity", "--ae", "API_KEY=12345678", "--ve=A=b", "API_KEY=1"], False)
def test_secrets_in_the_command_line_are_written_as_by_harbor(arguments: list[str], shared: bool) -> None:
    """In lock.json's command line, only values of options that set variables are treated as secrets."""
    host = {"API_KEY": "123456789"} if shared else {}
    with patch.dict(os.environ, host, clear=True):
        expected = wheel.sanitized(arguments)

    actual = sanitized(arguments, host)

    assert actual == expected
