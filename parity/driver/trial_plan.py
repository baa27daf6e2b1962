"""The plan of one trial: everything that is decided before it starts."""

import asyncio
import hashlib
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from parity.driver.documents.templates import resolve
from parity.driver.places import LOGS_OF_AGENT, LOGS_OF_ARTIFACTS, LOGS_OF_VERIFIER, TrialFolder
from parity.driver.sandbox import Sandboxes, SandboxSpec
from parity.driver.settings import AgentSettings, JobSettings
from parity.driver.task import Task
from parity.driver.trial_sandbox import TrialSandbox
from parity.formats.task import EnvironmentConfig, TaskStep
from parity.scorer.result_text import Tree
from parity.scorer.series import OFFICIAL, Series

type Moment = Literal["start", "environment", "agent", "verifier", "cancel", "end"]


@dataclass(frozen=True)
class RunContext:
    """The part of a trial's input that comes from the machine and the caller."""

    sandboxes: Sandboxes
    host: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))
    """The host's environment variables, for templates."""

    series: Series = OFFICIAL
    stops: set[asyncio.Task[None]] = field(default_factory=set)
    """Tasks that stop sandboxes; cancelled trials do not wait for them."""

    async def stop(self, sandbox: TrialSandbox) -> None:
        """Stop a sandbox. It still stops if the caller is cancelled meanwhile."""
        stop = asyncio.ensure_future(sandbox.stop())
        self.stops.add(stop)
        stop.add_done_callback(self.stops.discard)
        await asyncio.shield(stop)

    async def all_stopped(self) -> None:
        """Wait until all sandboxes have stopped."""
        while self.stops:
            await asyncio.wait(self.stops)


@dataclass(frozen=True)
class TrialPlan:
    """A trial and the paths of its files."""

    task: Task
    name: str
    folder: TrialFolder
    settings: JobSettings
    agent: AgentSettings
    config: Mapping[str, Tree]
    """The trial's config.json."""

    checksum: str
    source: str | None = None
    """Name of the task's dataset."""

    def sandbox(self, context: RunContext) -> TrialSandbox:
        """Make the agent's sandbox.

        Raises:
            ValueError: the host lacks a variable that the sandbox needs.
        """
        made = self._made(context, self._agent_spec(), self.task.config.environment)
        if made.mounted is not None:  # any user of the sandbox writes to them
            for folder in (self.folder.path, *self.folder.parts):
                folder.chmod(0o777)
        return made

    def specs(self) -> list[SandboxSpec]:
        """Return the specs of all sandboxes of the trial."""
        config = self.task.config
        apart = [self._verifier_spec(step) for step in config.steps or (None,) if config.is_separate(step)]
        return [self._agent_spec(), *apart]

    def verifier_sandbox(self, context: RunContext, step: TaskStep | None) -> TrialSandbox:
        """Make a separate sandbox for the verifier of the task or of one step.

        Raises:
            ValueError: the host lacks a variable that the sandbox needs.
        """
        config = self.task.config.verifier_environment(step)
        return self._made(context, self._verifier_spec(step), config)

    def _made(self, context: RunContext, spec: SandboxSpec, config: EnvironmentConfig) -> TrialSandbox:
        env = resolve(config.env, context.host)
        return TrialSandbox(context.sandboxes.make(spec), config, env, spec.folder, [*spec.mounts], self.folder.path)

    def _agent_spec(self) -> SandboxSpec:
        return self._spec(self.name, self.task.environment, self.task.config.environment, for_verifier=False)

    def _verifier_spec(self, step: TaskStep | None) -> SandboxSpec:
        """Return the spec of a verifier's sandbox, which is built from the step's tests or else from the task's."""
        # Rule: run-trial/separate-sandbox
        own = None if step is None else self.task.step(step) / "tests"
        folder = own if own is not None and own.exists() else self.task.tests
        name = verifier_sandbox_name(self.name, step.name if step else "trial")
        return self._spec(name, folder, self.task.config.verifier_environment(step), for_verifier=True)

    def _spec(self, name: str, folder: Path, config: EnvironmentConfig, *, for_verifier: bool) -> SandboxSpec:
        logs = {LOGS_OF_VERIFIER: self.folder.verifier}
        if not for_verifier:
            logs |= {LOGS_OF_AGENT: self.folder.agent, LOGS_OF_ARTIFACTS: self.folder.artifacts}
        # Rule: run-trial/sandbox
        return SandboxSpec(
            name,
            self.task.short_name,
            folder,
            config.docker_image or None,
            for_verifier,
            config.network and self.settings.allow_network,
            self.task.config.users(),
            config.cpus,
            config.memory_mb,
            config.storage_mb,
            logs,
        )


_LONGEST = 63


def verifier_sandbox_name(trial: str, key: str) -> str:
    """Return the name of a separate verifier's sandbox: only safe characters, within the limit of a host name."""
    full = "".join(c if c.isalnum() or c in "-._" else "_" for c in f"{trial}__verifier__{key}")
    if len(full) <= _LONGEST:
        return full
    ending = "__" + hashlib.sha1(full.encode(), usedforsecurity=False).hexdigest()[:8]
    return full[: _LONGEST - len(ending)].rstrip("-._") + ending
