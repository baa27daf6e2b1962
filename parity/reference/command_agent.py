"""The agent `command` for Harbor: it runs one bash command in the environment, and does nothing else.

`parity run -a command` runs the same agent, so both drivers can be compared with any command as their agent.
"""

from typing import Any

from harbor.agents.base import BaseAgent
from harbor.agents.installed.base import NonZeroAgentExitCodeError
from harbor.environments.base import BaseEnvironment
from harbor.models.agent.context import AgentContext
from harbor.models.trial.paths import EnvironmentPaths

from parity.driver.command_instruction import INSTRUCTION_FILE, instruction_variables, names_file, write_instruction

LOG_FILE = "command.txt"


class CommandAgent(BaseAgent):  # type: ignore[misc]
    """Passes the instruction to the command as `command_instruction` does, and logs the command's output."""

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
        env = {**instruction_variables(self._command, instruction), **self._env}
        if names_file(self._command):
            await environment.upload_file(write_instruction(self.logs_dir, instruction), INSTRUCTION_FILE)
        log = EnvironmentPaths.for_os(environment.os).agent_dir / LOG_FILE
        result = await environment.exec(
            f"({self._command}\n) > {log} 2>&1",
            env=env,
        )
        if result.return_code != 0:
            raise NonZeroAgentExitCodeError(f"Command failed (exit {result.return_code}): {self._command}")
