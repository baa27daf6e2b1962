"""Tests for the agent that runs one command, in an environment that records the agent's calls."""

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


class _Uploading(_Succeeding):
    """An environment that stores the uploaded files."""

    uploaded: dict[str, str]

    async def upload_file(self, source_path: Path | str, target_path: str) -> None:
        self.uploaded = {target_path: Path(source_path).read_text()}


def _run[Environment: FolderEnvironment](
    environment: type[Environment], directory: Path, command: str = "work", instruction: str = "do it"
) -> Environment:
    new = environment(directory, "task", "trial", TrialPaths(trial_dir=directory), EnvironmentConfig())
    agent = CommandAgent(logs_dir=directory, command=command, extra_env={"KEY": "value"})
    asyncio.run(agent.run(instruction, new, AgentContext()))
    return new


def test_command_gets_the_instruction(tmp_path: Path) -> None:
    """The command gets the instruction in a variable and has no time limit, and its output is stored."""
    environment = _run(_Succeeding, tmp_path)

    assert environment.ran == [
        ("(work\n) > /logs/agent/command.txt 2>&1", None, {"INSTRUCTION": "do it", "KEY": "value"}, None, None)
    ]


def test_command_can_read_the_instruction_from_a_file(tmp_path: Path) -> None:
    """A command that mentions the file gets the instruction in it, and in the variable if it is short enough."""
    command = "work $INSTRUCTION_FILE"

    runs = [_run(_Uploading, tmp_path, command, text) for text in ("short", "x" * 300_000)]

    file = "/logs/agent/instruction.md"
    variables = {"INSTRUCTION_FILE": file, "KEY": "value"}
    assert [ran.uploaded for ran in runs] == [{file: "short"}, {file: "x" * 300_000}]
    assert [ran.ran[0][2] for ran in runs] == [{"INSTRUCTION": "short", **variables}, variables]


def test_failing_command_is_an_error(tmp_path: Path) -> None:
    """A failing command raises the error after which Harbor still runs the verifier."""
    with pytest.raises(NonZeroAgentExitCodeError, match=r"Command failed \(exit 3\): work"):
        _run(FolderEnvironment, tmp_path)


def test_agent_has_the_name_of_the_kits_agent(tmp_path: Path) -> None:
    """The agent's name and version equal those of this kit's agent, because a job's stats contain them."""
    info = CommandAgent(logs_dir=tmp_path, command="work").to_agent_info()

    assert (info.name, info.version, info.model_info) == ("command", "1.0.0", None)
