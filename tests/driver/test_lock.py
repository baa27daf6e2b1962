"""Secrets in the command line of lock.json; the rest of the file is compared with the wheel's in every drawn job."""

import os
from unittest.mock import patch

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from parity.driver.documents.lock import sanitized
from tests import wheel_documents as wheel
from tests.driver.job_settings import texts, values, variables

_options = st.sampled_from(["--ae", "--agent-env", "--ve", "--verifier-env", "--ae=API_KEY=123456789", "--ve=", "-k"])
_assignments = st.builds("{}={}".format, variables, values)


@pytest.mark.needs("utf-8")
@given(st.lists(_options | _assignments | texts, max_size=6), st.booleans())
@example(["--ae", "API_KEY = 123456789 ", "--ae", "--ve", "API_KEY=1"], True)
def test_secrets_of_the_command_line_are_not_written(arguments: list[str], shared: bool) -> None:
    """Secrets in the command line become templates or are redacted, as in the configuration."""
    host = {"API_KEY": "123456789"} if shared else {}
    with patch.dict(os.environ, host, clear=True):
        expected = wheel.sanitized(arguments)

    actual = sanitized(arguments, host)

    assert actual == expected


def test_a_command_line_keeps_what_is_no_secret() -> None:
    """Only the values of options for variables can be secrets; other arguments are kept."""
    written = sanitized(["parity", "--ae", "API_KEY=12345678", "--ve=A=b", "API_KEY=1"], {})

    assert written == ["parity", "--ae", "API_KEY=****", "--ve=A=b", "API_KEY=1"]
