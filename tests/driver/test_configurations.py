"""config.json of jobs and trials has the text that the wheel's own models write."""

import os
from pathlib import Path
from unittest.mock import patch
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parity.driver.documents.configurations import PlannedTrial, job_config_tree, trial_config_tree
from parity.driver.settings import AgentSettings, JobSettings
from parity.scorer.result_text import text_of
from tests.driver.job_settings import envs, job_settings, paths, texts
from tests.wheel_documents import job_config, reloaded, text_of_model, trial_configs

pytestmark = pytest.mark.needs("utf-8")

_ID = "12345678-1234-4234-8234-123456789abc"


@given(job_settings)
def test_a_job_is_configured_as_in_harbor(settings: JobSettings) -> None:
    """A job's config.json has every field in the order of the wheel's model, with its defaults."""
    expected = text_of_model(job_config(settings))

    assert expected == text_of(job_config_tree(settings))


@given(job_settings)
def test_the_configuration_of_a_job_loads(settings: JobSettings) -> None:
    """The wheel reads a job's config.json, and writes it with the same text."""
    text = text_of(job_config_tree(settings))

    assert text == reloaded("job config", text)


@given(job_settings, paths, st.none() | texts)
def test_a_trial_is_configured_as_in_harbor(settings: JobSettings, task: Path, source: str | None) -> None:
    """A trial's config.json has every field as the wheel's job derives it from its own configuration."""
    config = trial_configs(settings, [(task, source)], UUID(_ID))[0]

    text = text_of(trial_config_tree(settings, PlannedTrial(task, source, config.trial_name), job_id=_ID))

    assert text_of_model(config) == text
    assert text == reloaded("trial config", text)


@given(envs, st.booleans())
def test_secrets_of_the_host_become_templates(env: dict[str, str], shared: bool) -> None:
    """A secret becomes `${NAME}` if the host has the same value under that name; other secrets are redacted."""
    host = {
        name: value for name, value in env.items() if shared and name and "=" not in name and "\0" not in name + value
    }
    settings = JobSettings("job", agents=(AgentSettings(env=env),), verifier_env=env)
    with patch.dict(os.environ, host, clear=True):
        expected = text_of_model(job_config(settings))

    assert expected == text_of(job_config_tree(settings, host=host))
