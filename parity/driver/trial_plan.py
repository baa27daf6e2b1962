"""One trial that is to be run: everything that is settled before it starts."""

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
from parity.driver.task_config import EnvironmentConfig, TaskStep
from parity.driver.trial_sandbox import TrialSandbox
from parity.scorer.result_text import Tree
from parity.scorer.series import OFFICIAL, Series

type Moment = Literal["start", "environment", "agent", "verifier", "cancel", "end"]


@dataclass(frozen=True)
class RunContext:
    """What trials take from the machine, and from whoever runs them."""

    sandboxes: Sandboxes
    host: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))
    """The environment variables that templates stand for."""

    series: Series = OFFICIAL
    stops: set[asyncio.Task[None]] = field(default_factory=set)
    """Sandboxes that stop, and for which a trial that was cancelled meanwhile may not wait."""

    async def stop(self, sandbox: TrialSandbox) -> None:
        """Stop a sandbox; whoever is cancelled while this is waited for does not keep it from stopping."""
        stop = asyncio.ensure_future(sandbox.stop())
        self.stops.add(stop)
        stop.add_done_callback(self.stops.discard)
        await asyncio.shield(stop)

    async def all_stopped(self) -> None:
        """Wait until no sandbox stops any more."""
        while self.stops:
            await asyncio.wait(self.stops)


@dataclass(frozen=True)
class TrialPlan:
    """A trial, and where its files go."""

    task: Task
    name: str
    folder: TrialFolder
    settings: JobSettings
    agent: AgentSettings
    config: Mapping[str, Tree]
    """Its config.json."""

    checksum: str
    source: str | None = None
    """Name of the task's dataset."""

    def sandbox(self, context: RunContext) -> TrialSandbox:
        """The agent's sandbox.

        Raises:
            ValueError: a variable for it is not there.
        """
        made = self._made(context, self._agent_spec(), self.task.config.environment)
        if made.mounted is not None:  # whoever works in it writes to them
            for folder in (self.folder.path, *self.folder.parts):
                folder.chmod(0o777)
        return made

    def specs(self) -> list[SandboxSpec]:
        """What all sandboxes of the trial are made for."""
        config = self.task.config
        apart = [self._verifier_spec(step) for step in config.steps or (None,) if config.is_separate(step)]
        return [self._agent_spec(), *apart]

    def verifier_sandbox(self, context: RunContext, step: TaskStep | None) -> TrialSandbox:
        """A verifier's own sandbox, in the task or in one of its steps.

        Raises:
            ValueError: a variable for it is not there.
        """
        config = self.task.config.verifier_environment(step)
        return self._made(context, self._verifier_spec(step), config)

    def _made(self, context: RunContext, spec: SandboxSpec, config: EnvironmentConfig) -> TrialSandbox:
        env = resolve(config.env, context.host)
        return TrialSandbox(context.sandboxes.make(spec), config, env, spec.folder, [*spec.mounts], self.folder.path)

    def _agent_spec(self) -> SandboxSpec:
        return self._spec(self.name, self.task.environment, self.task.config.environment, for_verifier=False)

    def _verifier_spec(self, step: TaskStep | None) -> SandboxSpec:
        """That of a sandbox which is built from the step's tests, else from the task's."""
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
            config.image or None,
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
    """The name of a verifier's own sandbox: safe to use anywhere, and no longer than a host's name may be."""
    full = "".join(c if c.isalnum() or c in "-._" else "_" for c in f"{trial}__verifier__{key}")
    if len(full) <= _LONGEST:
        return full
    ending = "__" + hashlib.sha1(full.encode(), usedforsecurity=False).hexdigest()[:8]
    return full[: _LONGEST - len(ending)].rstrip("-._") + ending
