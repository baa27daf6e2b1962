"""Templates of variables have the same meaning as in Harbor."""

import os
from unittest.mock import patch

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from parity.driver.documents.templates import missing_variables, resolve, templatize
from tests import wheel_documents as wheel
from tests.driver.job_settings import envs

_hosts = st.dictionaries(st.sampled_from(["A", "B", "AB", "API_KEY"]), st.sampled_from(["", "x", "${B}"]))
_ODD = {
    str(number): value for number, value in enumerate(["${A:-}", "${A:-x}y", "${A:-x}y}", "${}", "${A:B}", "${ A}"])
}


@pytest.mark.needs("utf-8")
@given(envs, _hosts)
@example(_ODD, {})
@example(_ODD, {"A": ""})
@example({"x": "${A:-a\nb}", "y": "${A\n:-b}", "z": "${A:-b}\n"}, {})
def test_templates_are_resolved_as_in_harbor(env: dict[str, str], host: dict[str, str]) -> None:
    """Templates give the same values as in Harbor, or are refused as there."""
    with patch.dict(os.environ, host, clear=True):
        try:
            expected: dict[str, str] | None = wheel.resolve(env)
        except ValueError:
            expected = None

    if expected is None:
        with pytest.raises(ValueError, match="is not set"):
            resolve(env, host)
    else:
        assert expected == resolve(env, host)


@pytest.mark.needs("utf-8")
@given(envs, _hosts)
def test_missing_variables_are_those_without_value_and_default(env: dict[str, str], host: dict[str, str]) -> None:
    """Missing variables are those without value and default, each once, in the order of their first use."""
    required = wheel.required_variables(env)

    missing = missing_variables(env, host)

    assert missing == list(dict.fromkeys(name for name, default in required if default is None and name not in host))


@pytest.mark.needs("utf-8")
@given(envs, _hosts)
def test_secrets_are_written_as_in_harbor(env: dict[str, str], host: dict[str, str]) -> None:
    """Variables are written literally, as templates or redacted, as in Harbor."""
    with patch.dict(os.environ, host, clear=True):
        expected = wheel.templatize(env)

    assert expected == templatize(env, host)


@pytest.mark.parametrize(
    ("value", "resolved"),
    [
        ("${A}", ""),
        ("${A:-x}", ""),
        ("${B:-x}", "x"),
        ("${B:-}", ""),
        ("${B:-${A}}", "${A}"),
        ("a ${A}", "a ${A}"),
        ("${B:-x}y", "${B:-x}y"),
        ("${B:-x\ny}", "${B:-x\ny}"),
        ("${B:x}", "${B:x}"),
        ("${}", "${}"),
        ("$A", "$A"),
    ],
)
def test_a_value_is_a_template_as_a_whole_or_not_at_all(value: str, resolved: str) -> None:
    """Only a whole value is a template, and a variable that is set but empty does not use the default."""
    assert resolve({"X": value}, {"A": ""}) == {"X": resolved}


def test_a_missing_variable_is_named() -> None:
    """The error names the missing variable and the remedy."""
    with pytest.raises(ValueError, match=r"variable B is not set on the host; set it, or give a default") as caught:
        resolve({"X": "${B}"}, {"A": ""})

    assert caught.type is ValueError
