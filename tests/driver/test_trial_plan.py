"""Tests for the sandboxes of a trial: their number, their names, and errors if a script cannot be run."""

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from harbor.trial.trial import Trial
from hypothesis import example, given
from hypothesis import strategies as st

from parity.driver.sandbox import Executed
from parity.driver.settings import Options
from parity.driver.task import read_task
from parity.driver.trial_plan import specs_of, verifier_sandbox_name
from parity.operations.scenarios.plain import PLAIN_TASK
from parity.operations.scenarios.scenario import ScenarioSettings, TaskFiles, TrialScenario
from parity.operations.scenarios.scripted_run import JOB, TRIAL
from parity.operations.scenarios.scripted_sandbox import ScriptedSandbox
from parity.operations.scenarios.settings import AgentSettings
from parity.runners.clean_room import scenarios

_NO_DIRECTORY = "the working directory /nope cannot be used: No such file or directory"


class _WithoutDirectory(ScriptedSandbox):
    """A scripted sandbox that runs no script, because its working directory is missing."""

    printed = Executed(126, "", f"{_NO_DIRECTORY}\n")

    async def exec(self, command: str, **options: Any) -> Executed:
        executed = await super().exec(command, **options)
        return self.printed if command.endswith(" 2>&1") else executed


class _WithoutDirectoryOnDocker(_WithoutDirectory):
    """A scripted sandbox with the same fault, whose message is on standard output, as with Docker."""

    printed = Executed(126, f"{_NO_DIRECTORY}\n", "")


def _error(settings: ScenarioSettings, directory: Path) -> dict[str, str]:
    """Run the plain task, and return the error in its result.json."""
    scenarios.run_trial_scenario(TrialScenario(PLAIN_TASK, settings), directory)
    result = json.loads((directory / JOB / TRIAL / "result.json").read_text())
    error: dict[str, str] = result["exception_info"]
    return error


@pytest.mark.parametrize("kind", [_WithoutDirectory, _WithoutDirectoryOnDocker])
def test_missing_working_directory_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: type[ScriptedSandbox]
) -> None:
    """If there is no reward because the sandbox cannot run the tests, the error quotes the sandbox's message."""
    monkeypatch.setattr(scenarios, "ScriptedSandbox", kind)

    error = _error(ScenarioSettings(AgentSettings("nop")), tmp_path)

    assert error["exception_type"] == "RewardFileNotFoundError"
    assert error["exception_message"].endswith(f"reward.json: {_NO_DIRECTORY}")


@pytest.mark.parametrize("kind", [_WithoutDirectory, _WithoutDirectoryOnDocker])
def test_command_agent_in_a_missing_directory_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: type[ScriptedSandbox]
) -> None:
    """If the sandbox cannot run the agent's command, the error quotes the sandbox's message."""
    monkeypatch.setattr(scenarios, "ScriptedSandbox", kind)

    error = _error(ScenarioSettings(AgentSettings("command", command="true")), tmp_path)

    assert error["exception_message"] == f"the command exited with code 126: true: {_NO_DIRECTORY}"


_texts = st.text(st.sampled_from("aé١-_. /"), max_size=60)


@given(_texts, _texts)
@example("t" * 40, "s" * 11)
@example("t" * 40, "s" * 12)
@example("t" * 40 + "-" * 20, "step")
def test_name_of_a_verifier_sandbox_equals_that_of_harbor(trial: str, step: str) -> None:
    """As in Harbor, a name has at most 63 characters, and a longer one is cut and ends with a digest."""
    with_config = SimpleNamespace(config=SimpleNamespace(trial_name=trial))
    expected = Trial._separate_verifier_session_id(with_config, step)

    name = verifier_sandbox_name(trial, step)

    assert name == expected


def test_separate_verifier_has_its_own_sandbox_spec(tmp_path: Path) -> None:
    """A task with a separate verifier has two sandbox specs. The second one is for the verifier."""
    separate = TaskFiles('[verifier]\nenvironment_mode = "separate"\n', PLAIN_TASK.files)
    task = read_task(separate.write(tmp_path / "task"))

    specs = specs_of(task, Options())

    assert [spec.directory.name for spec in specs] == ["environment", "tests"]
