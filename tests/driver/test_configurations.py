"""config.json of jobs has the text that the wheel's own models write; trials' are compared with every drawn case."""

import os
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parity.driver.documents.configurations import written_job
from parity.driver.documents.writing import tree_of
from parity.formats.configuration import JobConfiguration
from parity.scorer.result_text import json_text
from tests.driver.job_settings import jobs
from tests.wheel_documents import reloaded


@pytest.mark.needs("utf-8")
@given(jobs, st.booleans())
def test_a_job_is_configured_as_in_harbor(job: JobConfiguration, shared: bool) -> None:
    """The file has every field in the order of the wheel's model.

    A secret becomes `${NAME}` if the host has the same value under that name; other secrets are redacted.
    """
    envs = [job.verifier.env, *(agent.env for agent in job.agents)]
    host = {
        name: value
        for env in envs
        for name, value in env.items()
        if shared and name and "=" not in name and "\0" not in name + value
    }
    with patch.dict(os.environ, host, clear=True):
        expected = reloaded("job config", json_text(tree_of(job)))

    actual = json_text(tree_of(written_job(job, host)))

    assert actual == expected
    assert reloaded("job config", actual) == actual
