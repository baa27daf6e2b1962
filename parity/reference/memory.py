"""An agent and an environment in memory, so that real trials and jobs of the wheel run quickly.

A trial finds its script by its name, or by its configuration if the name is not known beforehand, as in jobs. The
script decides the effect of every call: it may raise an error, and it leaves reward files when the verifier calls it.
"""

import asyncio
import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

from harbor.agents.base import BaseAgent
from harbor.environments.base import BaseEnvironment, ExecResult
from harbor.environments.capabilities import EnvironmentCapabilities
from harbor.models.agent.context import AgentContext
from harbor.models.trial.config import AgentConfig, EnvironmentConfig, TrialConfig

from parity.operations.scenarios.recording import exception_named
from parity.reference.lookup import sandbox_name
from parity.scorer.job import Usage
from parity.scorer.values import Number

HEALTHCHECK = "check-health"


class TrialScript(ABC):
    """The effects of the calls in one trial. Its methods are called in the order of the phases; each may raise."""

    pause: float = 0.0
    """Seconds that the agent waits before it acts, while other trials run."""

    def start(self) -> None:  # noqa: B027
        """Start the environment."""

    def workdir(self) -> None:  # noqa: B027
        """Answer a step's request for its working directory, which comes first in a step."""

    def setup(self) -> int:
        """Run a step's set-up script, and return its exit code."""
        return 0

    def healthcheck(self) -> int:
        """Run a step's healthcheck, and return its exit code."""
        return 0

    def agent(self) -> Usage | None:
        """Run the agent, and return its usage, if any."""
        return None

    @abstractmethod
    def verify(self, directory: Path) -> None:
        """Run the test script, which leaves its files in the directory."""

    def stop(self) -> None:  # noqa: B027
        """Stop the environment."""


class Scripts:
    """The scripts of trials, by name; for other trials, `otherwise` is called once for each run."""

    by_trial: ClassVar[dict[str, TrialScript]] = {}
    otherwise: ClassVar[Callable[[TrialConfig], TrialScript] | None] = None


def raise_named(name: str | None) -> None:
    """Raise the exception of this name, if there is one."""
    if name is not None:
        raise exception_named(name)


def write_rewards(directory: Path, rewards: Mapping[str, Number | str] | None) -> None:
    """Write reward.json, as a test script does."""
    (directory / "reward.json").write_text(json.dumps(rewards))


class MemoryEnvironment(BaseEnvironment):  # type: ignore[misc]
    """An environment that calls the trial's script for every command."""

    @cached_property
    def script(self) -> TrialScript:
        """The script of this run of the trial; each run has its own environment."""
        name = sandbox_name(self.session_id)
        known = Scripts.by_trial.get(name)
        if known is not None or Scripts.otherwise is None:
            return known or Scripts.by_trial[name]
        return Scripts.otherwise(TrialConfig.model_validate_json(self.trial_paths.config_path.read_text()))

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


class ScriptedAgent(BaseAgent):  # type: ignore[misc]
    """An agent that calls the trial's script, and reports the usage that it returns."""

    def __init__(self, *arguments: Any, label: str = "scripted", **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._label = label

    @classmethod
    def parse_options(cls, *_: Any) -> None:
        """Parse no options. A release that does so needs the class's name, which only an instance has here."""

    def name(self) -> str:
        return self._label

    def version(self) -> str:
        return "1"

    async def setup(self, environment: BaseEnvironment) -> None:
        pass

    async def run(self, instruction: str, environment: BaseEnvironment, context: AgentContext) -> None:
        script: TrialScript = environment.script
        if script.pause:
            await asyncio.sleep(script.pause)
        usage = script.agent()
        if usage is not None:
            context.n_input_tokens, context.n_cache_tokens = usage.input_tokens, usage.cache_tokens
            context.n_output_tokens, context.cost_usd = usage.output_tokens, usage.cost


ENVIRONMENT = EnvironmentConfig(import_path=f"{__name__}:MemoryEnvironment")


def agent_config(label: str = "scripted", model: str | None = None) -> AgentConfig:
    """Build the configuration of the scripted agent under a name, with or without a model."""
    return AgentConfig(import_path=f"{__name__}:ScriptedAgent", model_name=model, kwargs={"label": label})
