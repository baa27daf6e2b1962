"""Templates of variables mean what they mean in Harbor."""

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
    """The same values, or the same refusal."""
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
    """Each once, in the order in which the values name them."""
    required = wheel.required_variables(env)

    missing = missing_variables(env, host)

    assert missing == list(dict.fromkeys(name for name, default in required if default is None and name not in host))


@pytest.mark.needs("utf-8")
@given(envs, _hosts)
def test_secrets_are_written_as_in_harbor(env: dict[str, str], host: dict[str, str]) -> None:
    """As they are, as templates or redacted."""
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
    """And a variable that is set but empty needs no default."""
    assert resolve({"X": value}, {"A": ""}) == {"X": resolved}


def test_a_missing_variable_is_named() -> None:
    """The message says which variable, and what to do."""
    with pytest.raises(ValueError, match=r"variable B is not set on the host; set it, or give a default") as caught:
        resolve({"X": "${B}"}, {"A": ""})

    assert caught.type is ValueError
