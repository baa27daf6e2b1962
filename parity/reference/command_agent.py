"""The agent `command` for Harbor: it runs one bash command in the environment, and does nothing else.

`parity run -a command` has an agent that does the same, so both drivers can be compared with any command as their
agent. The instruction is in the variable INSTRUCTION, if it fits into one. If the command mentions the variable
INSTRUCTION_FILE, the instruction is also in the file to which that variable is set.
"""

import os
from pathlib import Path
from typing import Any

from harbor.agents.base import BaseAgent
from harbor.agents.installed.base import NonZeroAgentExitCodeError
from harbor.environments.base import BaseEnvironment
from harbor.models.agent.context import AgentContext
from harbor.models.trial.paths import EnvironmentPaths

_LOG = "command.txt"
_FILE = "instruction.md"
_LONGEST_VARIABLE = 131_072 - len(b"INSTRUCTION=\0")
"""The largest value of the variable, in bytes: Linux limits name, value and the null character to 128 KiB."""


class CommandAgent(BaseAgent):  # type: ignore[misc]
    """Passes the instruction to the command, and logs the command's output."""

    def __init__(self, *arguments: Any, command: str, extra_env: dict[str, str] | None = None, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._command = command
        self._env = extra_env or {}

    @staticmethod
    def name() -> str:
        return "command"

    def version(self) -> str:
        return "1.0.0"

    async def setup(self, environment: BaseEnvironment) -> None:
        pass

    async def run(self, instruction: str, environment: BaseEnvironment, context: AgentContext) -> None:
        """Run the command.

        Raises:
            NonZeroAgentExitCodeError: the command failed; the trial is still verified.
            ValueError: the instruction is too long for the command.
        """
        logs = EnvironmentPaths.for_os(environment.os).agent_dir
        env = {}
        if len(instruction.encode()) <= _LONGEST_VARIABLE:
            env["INSTRUCTION"] = instruction
        if "INSTRUCTION_FILE" in self._command:
            env["INSTRUCTION_FILE"] = str(logs / _FILE)
            await environment.upload_file(self._write(instruction), env["INSTRUCTION_FILE"])
        if not env:
            raise ValueError("the instruction is too long for a variable; let the command read $INSTRUCTION_FILE")
        result = await environment.exec(f"({self._command}\n) > {logs / _LOG} 2>&1", env=env | self._env)
        if result.return_code != 0:
            raise NonZeroAgentExitCodeError(f"Command failed (exit {result.return_code}): {self._command}")

    def _write(self, instruction: str) -> Path:
        """Write the instruction to a file in the agent's directory on the host. Every user in a sandbox may read it."""
        path: Path = self.logs_dir / _FILE
        if os.path.lexists(path):
            os.unlink(path)  # a download may have left a link with this name
        path.write_text(instruction, encoding="utf-8")
        os.chmod(path, 0o644)
        return path
