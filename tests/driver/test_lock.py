"""lock.json has the text that the wheel's own model writes."""

import os
from datetime import UTC, datetime
from pathlib import Path
from unittest.mock import patch
from uuid import UUID

import pytest
from hypothesis import HealthCheck, example, given
from hypothesis import settings as profile
from hypothesis import strategies as st

from parity.driver.documents import lock
from parity.driver.documents.configurations import PlannedTrial
from parity.driver.documents.lock import lock_tree, sanitized
from parity.driver.settings import JobSettings
from parity.scorer.result_text import text_of
from tests.driver.job_settings import job_settings, texts, values, variables
from tests.wheel_documents import lock_text, reloaded_lock, trial_configs

_ID = UUID("12345678-1234-4234-8234-123456789abc")
_NOW = datetime(2026, 1, 2, 3, 4, 5, 678, tzinfo=UTC)
_options = st.sampled_from(["--ae", "--agent-env", "--ve", "--verifier-env", "--ae=API_KEY=123456789", "--ve=", "-k"])
_assignments = st.builds("{}={}".format, variables, values)


@pytest.fixture(scope="module")
def task(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a small task."""
    folder = tmp_path_factory.mktemp("tasks") / "tāsk"
    folder.mkdir()
    (folder / "task.toml").write_text("")
    return folder


@pytest.mark.needs("utf-8")
@given(drawn=job_settings, source=st.none() | texts)
@profile(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_lock_is_written_as_in_harbor(drawn: JobSettings, source: str | None, task: Path) -> None:
    """A lock has the text that the wheel writes: without nulls, each trial separately."""
    configs = trial_configs(drawn, [(task, source), (task, None)], _ID)
    planned = [
        PlannedTrial(each.task.path, each.task.source, each.trial_name, place % len(drawn.agents))
        for place, each in enumerate(configs)
    ]

    text = text_of(lock_tree(drawn, planned, _NOW, invocation=["parity", "run"]))

    assert text == lock_text(drawn, configs, _NOW, ["parity", "run"])
    if drawn.retry.exclude is not None:  # the wheel reads a missing `exclude` as the default
        assert text == reloaded_lock(text)


@pytest.mark.needs("utf-8")
@given(st.lists(_options | _assignments | texts, max_size=6), st.booleans())
@example(["--ae", "API_KEY = 123456789 ", "--ae", "--ve", "API_KEY=1"], True)
def test_secrets_of_the_command_line_are_not_written(arguments: list[str], shared: bool) -> None:
    """Secrets in the command line become templates or are redacted, as in the configuration."""
    host = {"API_KEY": "123456789"} if shared else {}
    with patch.dict(os.environ, host, clear=True):
        expected = reloaded_lock(lock_text(JobSettings("job"), [], _NOW, arguments))

    tree = lock_tree(JobSettings("job"), [], _NOW, invocation=arguments, host=host)

    assert expected == text_of(tree)


def test_a_command_line_keeps_what_is_no_secret() -> None:
    """Only the values of options for variables can be secrets; other arguments are kept."""
    written = sanitized(["parity", "--ae", "API_KEY=12345678", "--ve=A=b", "API_KEY=1"], {})

    assert written == ["parity", "--ae", "API_KEY=****", "--ve=A=b", "API_KEY=1"]


@pytest.mark.needs("utf-8")
def test_a_task_is_read_once(task: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A task with many trials is read only once."""
    read = []

    def count(path: Path) -> str:
        read.append(path)
        return "0" * 64

    monkeypatch.setattr(lock, "content_hash", count)

    lock_tree(JobSettings("job"), [PlannedTrial(task, None, str(number)) for number in range(9)], _NOW)

    assert read == [task]
