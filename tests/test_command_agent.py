"""The agent that runs one command, in an environment that notes what it is asked for."""

import asyncio
from pathlib import Path

import pytest
from harbor.agents.installed.base import NonZeroAgentExitCodeError
from harbor.models.agent.context import AgentContext
from harbor.models.task.config import EnvironmentConfig
from harbor.models.trial.paths import TrialPaths

from parity.reference.command_agent import CommandAgent
from tests.folder_environment import FolderEnvironment


class _Succeeding(FolderEnvironment):
    code = 0


def _run(environment: type[FolderEnvironment], folder: Path) -> FolderEnvironment:
    made = environment(folder, "task", "trial", TrialPaths(trial_dir=folder), EnvironmentConfig())
    agent = CommandAgent(logs_dir=folder, command="work", extra_env={"KEY": "value"})
    asyncio.run(agent.run("do it", made, AgentContext()))
    return made


def test_command_gets_the_instruction(tmp_path: Path) -> None:
    """As a variable beside the agent's own; what it says is kept, and any time and the default user are fine."""
    environment = _run(_Succeeding, tmp_path)

    assert environment.ran == [
        ("(work\n) > /logs/agent/command.txt 2>&1", None, {"INSTRUCTION": "do it", "KEY": "value"}, None, None)
    ]


def test_failing_command_is_an_error(tmp_path: Path) -> None:
    """Of the kind after which Harbor verifies all the same."""
    with pytest.raises(NonZeroAgentExitCodeError, match=r"Command failed \(exit 3\): work"):
        _run(FolderEnvironment, tmp_path)


def test_agent_is_named_like_ours(tmp_path: Path) -> None:
    """The name is part of a job's statistics."""
    info = CommandAgent(logs_dir=tmp_path, command="work").to_agent_info()

    assert (info.name, info.version, info.model_info) == ("command", "1.0.0", None)
