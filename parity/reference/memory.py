"""An agent and an environment in memory, with which the wheel's real trials run quickly.

A script determines the effect of every call: it may raise an exception, and it writes the verifier's reward files.
"""

import json
from abc import ABC, abstractmethod
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

from harbor.agents.base import BaseAgent
from harbor.environments.base import BaseEnvironment, ExecResult
from harbor.environments.capabilities import EnvironmentCapabilities
from harbor.models.agent.context import AgentContext

from parity.operations.scenarios.scripted_sandbox import exception_named
from parity.scorer.values import Number

HEALTHCHECK = "check-health"


class TrialScript(ABC):
    """The effects of the calls in one trial. Its methods are called in the order of the phases; each may raise."""

    def start(self) -> None:  # noqa: B027
        """Start the environment."""

    def workdir(self) -> None:  # noqa: B027
        """Answer a step's first call, which asks for its working directory."""

    def setup(self) -> int:
        """Run a step's set-up script, and return its exit code."""
        return 0

    def healthcheck(self) -> int:
        """Run a step's healthcheck, and return its exit code."""
        return 0

    def agent(self) -> None:  # noqa: B027
        """Run the agent."""

    @abstractmethod
    def verify(self, directory: Path) -> None:
        """Run the test script, which writes its files to the directory."""

    def stop(self) -> None:  # noqa: B027
        """Stop the environment."""


def raise_named(name: str | None) -> None:
    """Raise an exception with this class name; do nothing if the name is None."""
    if name is not None:
        raise exception_named(name)


def write_rewards(directory: Path, rewards: Mapping[str, Number | str] | None) -> None:
    """Write reward.json, as a test script does."""
    (directory / "reward.json").write_text(json.dumps(rewards))


class MemoryEnvironment(BaseEnvironment):  # type: ignore[misc]
    """An environment that calls the trial's script for every command."""

    current: ClassVar[TrialScript]

    @property
    def script(self) -> TrialScript:
        """The script of the trial."""
        return self.current

    @staticmethod
    def type() -> str:
        return "memory"

    @property
    def capabilities(self) -> EnvironmentCapabilities:
        return EnvironmentCapabilities(mounted=True)

    def _validate_definition(self) -> None:
        pass

    async def start(self, force_build: bool) -> None:
        self.script.start()

    async def stop(self, delete: bool) -> None:
        self.script.stop()

    async def upload_file(self, source_path: Path | str, target_path: str) -> None:
        pass

    async def upload_dir(self, source_dir: Path | str, target_dir: str) -> None:
        pass

    async def download_file(self, source_path: str, target_path: Path | str) -> None:
        pass

    async def download_dir(self, source_dir: str, target_dir: Path | str) -> None:
        pass

    async def exec(self, command: str, **_: Any) -> ExecResult:
        code = 0
        if command == "pwd":
            self.script.workdir()
            return ExecResult(stdout="/app\n", return_code=0)
        if command == HEALTHCHECK:
            code = self.script.healthcheck()
        elif command.startswith("bash ") and command.endswith("/setup.sh"):
            code = self.script.setup()
        elif "test-stdout.txt" in command:
            self.script.verify(self.trial_paths.verifier_dir)
        return ExecResult(return_code=code)


class MemoryAgent(BaseAgent):  # type: ignore[misc]
    """An agent that calls the trial's script."""

    @staticmethod
    def name() -> str:
        return "scripted"

    def version(self) -> str:
        return "1"

    async def setup(self, environment: BaseEnvironment) -> None:
        pass

    async def run(self, instruction: str, environment: BaseEnvironment, context: AgentContext) -> None:
        environment.script.agent()
