"""A running trial and its phases: sandbox, agent, artifacts and verifier.

Rules: `run-trial/*`. Mirrors harbor.trial.trial in behaviour.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from parity.driver.agents import Agent
from parity.driver.artifacts import all_artifacts, download_artifacts, upload_artifacts
from parity.driver.documents.results import Result, Step, exception_info, timed, verified
from parity.driver.errors import (
    AgentSetupTimeoutError,
    AgentTimeoutError,
    EnvironmentStartTimeoutError,
    VerifierTimeoutError,
)
from parity.driver.log_directories import LogDirectories, log_directories
from parity.driver.places import LOGS_OF_VERIFIER, TESTS
from parity.driver.sandbox import User
from parity.driver.timeouts import agent_setup_timeout, agent_timeout, build_timeout, verifier_timeout, waitable
from parity.driver.trial import RunContext, Trial
from parity.driver.trial_sandbox import TrialSandbox
from parity.driver.verifier import run_tests, upload_tests
from parity.formats.task import Artifact, TaskStep
from parity.formats.trial_result import AgentResult
from parity.scorer.values import Rewards

type TrialEvent = Literal["start", "environment", "agent", "verifier", "cancel", "end"]

type EventListener = Callable[[TrialEvent, Trial, Result], None]
"""A callback that is called at each event of a trial."""

_LOG = logging.getLogger("parity.driver")


@dataclass
class RunningTrial:
    """A trial while it runs: its sandbox, its agent and its result so far."""

    trial: Trial
    context: RunContext
    sandbox: TrialSandbox
    """The agent's sandbox. The verifier also runs in it, unless the task requires a separate one."""

    agent: Agent
    logs: LogDirectories
    result: Result
    """The trial's result so far."""

    on_event: EventListener
    has_agent_logs: bool = False
    """Whether the agent's logs have been brought to the host; in a multi-step task, the logs from the current step."""

    has_artifacts: bool = False
    _is_stopped: bool = False
    _processes: str = ""
    """The processes that were running before the agent was started."""

    def report(self, event: TrialEvent) -> None:
        """Call the listener with an event."""
        self.on_event(event, self.trial, self.result)

    def fail(self, error: BaseException) -> None:
        """Record an exception as the trial's error, unless the trial already has one."""
        # Rule: run-trial/first-error
        if self.result.exception_info is None:
            self.result.exception_info = exception_info(error)
            # Rule: run-trial/message-presence
            path = self.trial.directory.path / "exception.txt"
            path.write_text(self.result.exception_info.exception_traceback, encoding="utf-8")
        _LOG.info("%s: %s", type(error).__name__, error)

    async def start_sandbox(self) -> None:
        """Start the sandbox, and wait until its healthcheck succeeds."""
        self.report("environment")
        limit = build_timeout(self.trial)
        try:
            with timed() as self.result.environment_setup:
                await asyncio.wait_for(self.sandbox.start(), waitable(limit))
        # Rule: run-trial/start-timeout
        except TimeoutError as error:
            raise EnvironmentStartTimeoutError(f"the sandbox did not start within {limit} seconds") from error
        # Rule: run-trial/healthcheck-first
        await self.sandbox.check_health(self.trial.task.config.environment.healthcheck)

    async def set_up_agent(self) -> None:
        """Apply the agent's setup timeout. This driver's agents need no setup, but the timeout may be zero."""
        limit = agent_setup_timeout(self.trial)
        try:
            with timed() as self.result.agent_setup:
                await asyncio.wait_for(_nothing(), waitable(limit))
        # Rule: run-trial/agent-setup-timeout
        except TimeoutError as error:
            raise AgentSetupTimeoutError(f"the agent was not set up within {limit} seconds") from error

    def agent_user(self, step: TaskStep | None = None) -> User | None:
        """Return the user that runs the agent, in the whole task or in one step."""
        # Rule: run-trial/step-user
        return self.trial.task.config.agent.user if step is None or step.agent.user is None else step.agent.user

    async def run_agent(self, target: Result | Step, step: TaskStep | None = None) -> None:
        """Run the agent on the whole task or on one step, and record the run in the target.

        Raises:
            AgentTimeoutError: the agent ran into its timeout, or raised a TimeoutError itself.
            Exception: there is no instruction, or the agent raised any other exception.
        """
        if self.trial.options.end_processes:
            self._processes = await self.sandbox.processes()
        timeout = agent_timeout(self.trial, step)
        instruction = self.trial.task.instruction(step)
        self.report("agent")
        target.agent_result = AgentResult()
        try:
            # Rule: run-trial/agent-user
            with timed() as target.agent_execution, self.sandbox.as_user(self.agent_user(step)):
                await asyncio.wait_for(self.agent.run(instruction, self.sandbox, self.logs), waitable(timeout))
        # Rule: run-trial/agent-timeout
        except TimeoutError as error:
            raise AgentTimeoutError(f"the agent ran into its timeout of {timeout} seconds") from error

    async def end_agent(self) -> None:
        """Kill the processes that the agent left running, if the job's options require that.

        Raises:
            RuntimeError: the processes could not be killed.
        """
        if self.trial.options.end_processes:
            await self.sandbox.end_others(self._processes)

    async def fetch_agent_logs(self) -> None:
        """Bring the agent's logs to the host, unless that has been done."""
        if not self.has_agent_logs:
            await self.logs.fetch_agent_logs()
            self.has_agent_logs = True

    async def fetch_artifacts(self) -> None:
        """Download the artifacts of a task without steps, unless that has been done."""
        # Rule: run-trial/recovery
        if not self.has_artifacts:
            await download_artifacts(self.sandbox, self.logs, self.trial.directory.artifacts, self.artifacts())
            self.has_artifacts = True

    def artifacts(self, step: TaskStep | None = None) -> Sequence[Artifact]:
        """Return the artifacts that the task and the step define."""
        return all_artifacts([*self.trial.task.config.artifacts, *(step.artifacts if step else ())])

    async def verify(self, target: Result | Step, artifacts: Path, step: TaskStep | None = None) -> None:
        """Verify the agent's work on the whole task or on one step, unless the job disables verification.

        Args:
            target: receives the result.
            artifacts: the directory with the artifacts on the host.
            step: the step in a multi-step task; None for the whole task.

        Raises:
            VerifierTimeoutError: the verifier of a task without steps ran into its timeout.
            Exception: any other error that prevents a result.
        """
        # Rule: run-trial/verification-disabled
        if self.trial.job.verifier.disable:
            return
        config, timeout = self.trial.task.config, verifier_timeout(self.trial, step)
        # Rules: run-trial/verifier-user, run-trial/step-user
        user = config.verifier.user if step is None or step.verifier.user is None else step.verifier.user
        verify = self._verify_apart if config.is_separate(step) else self._verify_here
        self.report("verifier")
        try:
            with timed() as target.verifier:
                target.verifier_result = verified(await verify(timeout, user, artifacts, step))
        except TimeoutError as error:
            # Rule: run-trial/step-verifier-timeout
            if step is not None:
                raise
            raise VerifierTimeoutError(f"the verifier ran into its timeout of {timeout} seconds") from error

    async def _verify_here(
        self, timeout: float, user: User | None, artifacts: Path, step: TaskStep | None
    ) -> Rewards | None:
        """Verify in the agent's sandbox."""
        # Rule: run-trial/logs-reset
        if step is not None:
            await self.sandbox.empty(LOGS_OF_VERIFIER, open_to_all=True)
            await self.sandbox.empty(TESTS, open_to_all=False)

        async def upload_and_run() -> Rewards | None:
            await upload_tests(self.trial.task, step, self.sandbox)
            return await run_tests(self.trial, step, self.context, self.sandbox, self.logs)

        with self.sandbox.as_user(user):
            async with self.logs.shown_artifacts(artifacts):
                return await asyncio.wait_for(upload_and_run(), waitable(timeout))

    async def _verify_apart(
        self, timeout: float, user: User | None, artifacts: Path, step: TaskStep | None
    ) -> Rewards | None:
        """Verify in a separate sandbox, which is built from the tests and receives the artifacts.

        The timeout applies only to the tests.
        """
        # Rules: run-trial/separate-sandbox, run-trial/separate-has-tests
        sandbox = self.trial.verifier_sandbox(self.context, step)
        logs = log_directories(sandbox, self.trial.directory)
        try:
            await asyncio.wait_for(sandbox.start(), waitable(build_timeout(self.trial)))
            with sandbox.as_user(user):
                await sandbox.empty(LOGS_OF_VERIFIER, open_to_all=True)
                await upload_artifacts(sandbox, artifacts, self.artifacts(step))
                running = run_tests(self.trial, step, self.context, sandbox, logs)
                return await asyncio.wait_for(running, waitable(timeout))
        finally:
            # Rule: run-trial/stop-error
            with suppress(Exception):
                await self.context.stop(sandbox)

    async def recover(self) -> None:
        """After an error, save the agent's logs and, in a task without steps, the artifacts; then stop the sandbox."""
        # Rule: run-trial/recovery
        await self.fetch_agent_logs()
        if not self.trial.task.config.steps:
            await self.fetch_artifacts()
        await self.stop()

    async def stop(self) -> None:
        """Stop the agent's sandbox, unless it has already been stopped.

        If the trial is cancelled during this call, the sandbox still stops.
        """
        # Rule: run-trial/stop-once
        if self._is_stopped:
            return
        try:
            await self.context.stop(self.sandbox)
        except asyncio.CancelledError:
            _LOG.info("cancelled while the sandbox stops")
        # Rule: run-trial/stop-error
        except Exception as error:
            self.fail(error)
        self._is_stopped = True


async def _nothing() -> None:
    pass
