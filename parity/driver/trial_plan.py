"""A planned trial: its sandboxes, its timeouts, and what it shares with the other trials of a run.

`parity.driver.course` runs it.
"""

import asyncio
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import inf, isnan, ulp
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
    """The sandboxes and the Python series that all trials of a run share."""

    sandboxes: Sandboxes
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
    host: Mapping[str, str]
    """The host's environment variables, for templates."""

    written: JobConfiguration
    """The job's config.json: its configuration without secrets. The job's trials share it."""

    written_agent: AgentConfiguration
    """The agent's configuration without secrets."""

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
        return self._new_sandbox(context, spec, self.task.config.environment)

    def verifier_sandbox(self, context: RunContext, step: TaskStep | None) -> TrialSandbox:
        """Make a separate sandbox for the verifier, for the whole task or for one step, but do not start it.

        Raises:
            ValueError: the sandbox needs an environment variable that is not set on the host.
        """
        name = verifier_sandbox_name(self.name, step.name if step else "trial")
        logs = {LOGS_OF_VERIFIER: self.directory.verifier}
        spec = replace(_verifier_spec(self.task, step, self.options), name=name, mounts=logs)
        return self._new_sandbox(context, spec, self.task.config.verifier_environment(step))

    def _new_sandbox(self, context: RunContext, spec: SandboxSpec, config: EnvironmentConfig) -> TrialSandbox:
        env = resolve(config.env, self.host)
        return TrialSandbox(context.sandboxes.make(spec), config, env, spec, self.directory.path)

    def agent_timeout(self, step: TaskStep | None = None) -> float | None:
        """Return the agent's timeout for the whole task or for one step, in seconds; None for no timeout."""
        own = None if step is None else step.agent.timeout_sec
        # Rules: run-trial/step-agent-timeout, run-trial/override-timeout
        base = self.agent.override_timeout_sec or (self.task.config.agent.timeout_sec if own is None else own)
        if base is None:
            return None
        # Rule: run-trial/longest-timeout
        return min(base, self.agent.max_timeout_sec or inf) * self._factor(self.job.agent_timeout_multiplier)

    def verifier_timeout(self, step: TaskStep | None) -> float:
        """Return the verifier's timeout, in seconds. A step that sets none has the default, not the task's timeout."""
        verifier = self.job.verifier
        # Rules: run-trial/step-verifier-timeout, run-trial/override-timeout
        base = verifier.override_timeout_sec or (step or self.task.config).verifier.timeout_sec
        # Rule: run-trial/longest-timeout
        return min(base, verifier.max_timeout_sec or inf) * self._factor(self.job.verifier_timeout_multiplier)

    @property
    def agent_setup_timeout(self) -> float:
        """The timeout for setting up the agent, in seconds."""
        own = self.agent.override_setup_timeout_sec
        # Rule: run-trial/override-setup-timeout
        base = _AGENT_SETUP if own is None else own
        return base * self._factor(self.job.agent_setup_timeout_multiplier)

    @property
    def build_timeout(self) -> float:
        """The timeout for starting a sandbox, in seconds: the agent's, or a separate one for the verifier."""
        factor = self._factor(self.job.environment_build_timeout_multiplier)
        return self.task.config.environment.build_timeout_sec * factor

    def _factor(self, of_phase: float | None) -> float:
        # Rule: run-trial/multiplier
        return self.job.timeout_multiplier if of_phase is None else of_phase


# Rule: run-trial/agent-setup-timeout
_AGENT_SETUP = 360


def waitable(seconds: float | None) -> float | None:
    """Return a timeout that the running event loop can wait for: nan is replaced by a timeout that ends at once.

    A selector event loop treats nan in this way in CPython 3.12; in CPython 3.13 it raises a ValueError.
    """
    # Rule: run-trial/nan-timeout
    if seconds is None or not isnan(seconds) or not isinstance(asyncio.get_running_loop(), asyncio.SelectorEventLoop):
        return seconds
    return ulp(0.0)


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
