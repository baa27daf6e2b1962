"""A planned trial, the sandboxes that it needs, and the context in which it runs."""

import asyncio
import hashlib
import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from parity.driver.documents.configurations import job_directory
from parity.driver.documents.templates import resolve
from parity.driver.places import LOGS_OF_AGENT, LOGS_OF_ARTIFACTS, LOGS_OF_VERIFIER, TrialDirectory
from parity.driver.sandbox import Sandboxes, SandboxSpec
from parity.driver.settings import Options
from parity.driver.task import Task
from parity.driver.trial_sandbox import TrialSandbox
from parity.formats.configuration import AgentConfiguration, JobConfiguration
from parity.formats.task import EnvironmentConfig, TaskStep
from parity.scorer.series import OFFICIAL, Series


@dataclass(frozen=True)
class RunContext:
    """The inputs for a trial that come from the machine and the caller."""

    sandboxes: Sandboxes
    host: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))
    """The host's environment variables, for templates."""

    series: Series = OFFICIAL
    stops: set[asyncio.Task[None]] = field(default_factory=set)
    """The asyncio tasks that are stopping sandboxes. A trial that is cancelled does not wait for them."""

    async def stop(self, sandbox: TrialSandbox) -> None:
        """Stop a sandbox. If the caller is cancelled during this call, the sandbox still stops."""
        stop = asyncio.ensure_future(sandbox.stop())
        self.stops.add(stop)
        stop.add_done_callback(self.stops.discard)
        await asyncio.shield(stop)

    async def all_stopped(self) -> None:
        """Wait until all sandboxes have stopped."""
        while self.stops:
            await asyncio.wait(self.stops)


@dataclass(frozen=True)
class Trial:
    """A planned trial: one attempt of an agent at a task."""

    task: Task
    name: str
    source: str | None
    """Name of the task's dataset; None for a task that the job lists directly."""

    job: JobConfiguration
    agent: AgentConfiguration
    options: Options

    @cached_property
    def directory(self) -> TrialDirectory:
        """The trial's directory in the job's directory."""
        return TrialDirectory(job_directory(self.job) / self.name)

    def agent_sandbox(self, context: RunContext) -> TrialSandbox:
        """Make the agent's sandbox, but do not start it.

        Raises:
            ValueError: the sandbox needs an environment variable that is not set on the host.
        """
        logs = {
            LOGS_OF_VERIFIER: self.directory.verifier,
            LOGS_OF_AGENT: self.directory.agent,
            LOGS_OF_ARTIFACTS: self.directory.artifacts,
        }
        spec = replace(_agent_spec(self.task, self.options), name=self.name, mounts=logs)
        return self._made(context, spec, self.task.config.environment)

    def verifier_sandbox(self, context: RunContext, step: TaskStep | None) -> TrialSandbox:
        """Make a separate sandbox for the verifier, for the whole task or for one step, but do not start it.

        Raises:
            ValueError: the sandbox needs an environment variable that is not set on the host.
        """
        name = verifier_sandbox_name(self.name, step.name if step else "trial")
        logs = {LOGS_OF_VERIFIER: self.directory.verifier}
        spec = replace(_verifier_spec(self.task, step, self.options), name=name, mounts=logs)
        return self._made(context, spec, self.task.config.verifier_environment(step))

    def _made(self, context: RunContext, spec: SandboxSpec, config: EnvironmentConfig) -> TrialSandbox:
        env = resolve(config.env, context.host)
        return TrialSandbox(context.sandboxes.make(spec), config, env, spec, self.directory.path)


def specs_of(task: Task, options: Options) -> list[SandboxSpec]:
    """Return the specifications for all sandboxes that a task's trials need.

    A trial adds the sandboxes' names and log directories.
    """
    separate = [step for step in task.config.steps or (None,) if task.config.is_separate(step)]
    return [_agent_spec(task, options), *(_verifier_spec(task, step, options) for step in separate)]


def _agent_spec(task: Task, options: Options) -> SandboxSpec:
    return _spec(task, options, task.environment, task.config.environment)


def _verifier_spec(task: Task, step: TaskStep | None, options: Options) -> SandboxSpec:
    """Return the specification for a verifier's sandbox, which is built from the step's tests or else the task's."""
    # Rule: run-trial/separate-sandbox
    directory = task.of_step_or_task("tests", step)
    return _spec(task, options, directory, task.config.verifier_environment(step))


def _spec(task: Task, options: Options, directory: Path, config: EnvironmentConfig) -> SandboxSpec:
    # Rule: run-trial/sandbox
    return SandboxSpec(
        name=task.short_name,
        task=task.short_name,
        directory=directory,
        image=config.docker_image or None,
        network=config.network and options.allow_network,
        users=task.config.users(),
        cpus=config.cpus,
        memory_mb=config.memory_mb,
        storage_mb=config.storage_mb,
    )


_LONGEST = 63


def verifier_sandbox_name(trial: str, key: str) -> str:
    """Return a name for a separate verifier's sandbox that is also a safe host name: at most 63 plain characters."""
    full = "".join(c if c.isalnum() or c in "-._" else "_" for c in f"{trial}__verifier__{key}")
    if len(full) <= _LONGEST:
        return full
    ending = "__" + hashlib.sha1(full.encode(), usedforsecurity=False).hexdigest()[:8]
    return full[: _LONGEST - len(ending)].rstrip("-._") + ending
