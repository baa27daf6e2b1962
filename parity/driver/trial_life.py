"""The shared phases of all trials: sandbox, agent, verification, and their record.

Rules: `run-trial/*`. Mirrors harbor.trial.trial in behaviour.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from parity.driver.agents import Agent
from parity.driver.artifacts import all_artifacts, refresh_artifacts, show_artifacts, upload_artifacts
from parity.driver.documents.result_trees import RecordedStep, Timing, TrialRecord, VerifierResult, failure_of
from parity.driver.errors import (
    AgentSetupTimeoutError,
    AgentTimeoutError,
    EnvironmentStartTimeoutError,
    VerifierTimeoutError,
)
from parity.driver.places import EXIT_CODE, LOGS_OF_AGENT, LOGS_OF_VERIFIER, TESTS, TrialFolder
from parity.driver.sandbox import User
from parity.driver.timeouts import agent_setup_timeout, agent_timeout, build_timeout, verifier_timeout, waitable
from parity.driver.trial_plan import Moment, RunContext, TrialPlan
from parity.driver.trial_sandbox import TrialSandbox
from parity.driver.verifier import Verifier
from parity.formats.task import Artifact, TaskStep
from parity.scorer.values import Rewards

_LOG = logging.getLogger("parity.driver")


class TrialLife:
    """A running trial."""

    def __init__(
        self,
        plan: TrialPlan,
        context: RunContext,
        record: TrialRecord,
        sandbox: TrialSandbox,
        agent: Agent,
        on_moment: Callable[[Moment], None],
    ) -> None:
        self.plan, self.record, self.sandbox, self.agent, self.on_moment = plan, record, sandbox, agent, on_moment
        self.config = plan.task.config
        self.folder: TrialFolder = plan.folder
        self.verifies = not plan.settings.disable_verification
        self.agent_logs_are_here = False
        self._context = context
        self._is_stopped = False
        self._processes = ""
        self._verifier = Verifier(plan.task, plan.settings.verifier_env, context.host, context.series)

    def fail(self, error: BaseException) -> None:
        """Record an error as the trial's error, unless it already has one."""
        # Rule: run-trial/first-error
        if self.record.failure is None:
            self.record.failure = failure_of(error)
            # Rule: run-trial/message-presence
            (self.folder.path / "exception.txt").write_text(self.record.failure.traceback, errors="backslashreplace")
        _LOG.info("%s: %s", type(error).__name__, error)

    async def prepare(self) -> None:
        """Start the sandbox, check its health, and set up the agent."""
        self.on_moment("environment")
        await self._start()
        # Rule: run-trial/healthcheck-first
        await self.sandbox.check_health(self.config.environment.healthcheck)
        with self.sandbox.as_user(self.config.agent.user):
            await self._set_up_agent()

    async def _start(self) -> None:
        limit = build_timeout(self.config, self.plan.settings.multipliers)
        try:
            with Timing() as self.record.environment_setup:
                await asyncio.wait_for(self.sandbox.start(), waitable(limit))
        # Rule: run-trial/start-timeout
        except TimeoutError as error:
            raise EnvironmentStartTimeoutError(f"the sandbox did not start within {limit} seconds") from error

    async def _set_up_agent(self) -> None:
        """Apply the timeout of the agent's setup. No agent here needs any setup, but the timeout may be zero."""
        limit = agent_setup_timeout(self.plan.agent, self.plan.settings.multipliers)
        try:
            with Timing() as self.record.agent_setup:
                await asyncio.wait_for(_nothing(), waitable(limit))
        # Rule: run-trial/agent-setup-timeout
        except TimeoutError as error:
            raise AgentSetupTimeoutError(f"the agent was not set up within {limit} seconds") from error

    def agent_user(self, step: TaskStep | None = None) -> User | None:
        """Return the user that the agent works as, in the task or in one of its steps."""
        # Rule: run-trial/step-user
        return self.config.agent.user if step is None or step.agent.user is None else step.agent.user

    async def run_agent(self, target: TrialRecord | RecordedStep, step: TaskStep | None = None) -> None:
        """Run the agent on the task or on one of its steps, and record the run in the target.

        Raises:
            AgentTimeoutError: the agent ran into its timeout, or raised a TimeoutError of its own.
            Exception: there is no instruction, or the agent raised another error.
        """
        if self.plan.settings.end_processes:
            self._processes = await self.sandbox.processes()
        timeout = agent_timeout(self.config, step, self.plan.agent, self.plan.settings.multipliers)
        instruction = self.plan.task.instruction(step)
        self.on_moment("agent")
        target.agent_ran = True
        try:
            # Rule: run-trial/agent-user
            with Timing() as target.agent_execution, self.sandbox.as_user(self.agent_user(step)):
                await asyncio.wait_for(self.agent.run(instruction, self.sandbox), waitable(timeout))
        # Rule: run-trial/agent-timeout
        except TimeoutError as error:
            raise AgentTimeoutError(f"the agent ran into its timeout of {timeout} seconds") from error

    async def end_agent(self) -> None:
        """Kill the processes that the agent left, if the job's settings ask for it.

        Raises:
            RuntimeError: they could not be killed.
        """
        if self.plan.settings.end_processes:
            await self.sandbox.end_others(self._processes)

    async def fetch_agent_logs(self) -> None:
        """Download the agent's log folder, once. A failure is only logged."""
        if self.agent_logs_are_here:
            return
        # Rule: run-trial/mounted
        if self.sandbox.mounted is not None:
            await self.sandbox.mounted.prepare_logs()
            self.agent_logs_are_here = True
            return
        try:
            # Rule: run-trial/agent-logs
            await self.sandbox.download(LOGS_OF_AGENT, self.folder.agent)
        # Rule: run-trial/logs-failure
        except Exception as error:
            _LOG.error("the agent's logs were not downloaded: %s", error)
        self.agent_logs_are_here = True

    async def return_agent_logs(self) -> None:
        """Upload the agent's logs if the host may have added any. A failure is only logged."""
        # Rule: run-trial/mounted
        if self.sandbox.mounted is not None or (self.sandbox.copies_mounts and not self._has_written_logs()):
            return
        try:
            # Rule: run-trial/agent-logs
            await self.sandbox.upload(self.folder.agent, LOGS_OF_AGENT)
        # Rule: run-trial/logs-failure
        except Exception as error:
            _LOG.error("the agent's logs were not uploaded: %s", error)

    def _has_written_logs(self) -> bool:
        """Return whether the host has added a log. Only the oracle adds one: its exit code."""
        return (self.folder.agent / EXIT_CODE).exists()

    async def verify(self, target: TrialRecord | RecordedStep, artifacts: Path, step: TaskStep | None = None) -> None:
        """Verify the agent's work on the task or on one of its steps.

        Args:
            target: receives the result.
            artifacts: the artifacts' folder on the host.
            step: the step, in a multi-step task.

        Raises:
            VerifierTimeoutError: the verifier of a task without steps ran into its timeout.
            Exception: any other error that prevents a result.
        """
        timeout = verifier_timeout(self.config, step, self.plan.settings)
        # Rules: run-trial/verifier-user, run-trial/step-user
        user = self.config.verifier.user if step is None or step.verifier.user is None else step.verifier.user
        verify = self._verify_apart if self.config.is_separate(step) else self._verify_here
        self.on_moment("verifier")
        try:
            with Timing() as target.verifier:
                target.verifier_result = VerifierResult(await verify(timeout, user, artifacts, step))
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
        with self.sandbox.as_user(user):
            are_shown = self.sandbox.copies_mounts and await show_artifacts(self.sandbox, artifacts)
            running = self._verifier.verify(self.sandbox, self.folder.verifier, step, has_tests=False)
            try:
                return await asyncio.wait_for(running, waitable(timeout))
            finally:
                if are_shown and not _is_cancelled():
                    await refresh_artifacts(self.sandbox, artifacts)

    async def _verify_apart(
        self, timeout: float, user: User | None, artifacts: Path, step: TaskStep | None
    ) -> Rewards | None:
        """Verify in a separate sandbox, which was built with the tests and receives the artifacts.

        The timeout applies to the tests alone.
        """
        # Rule: run-trial/separate-sandbox
        sandbox = self.plan.verifier_sandbox(self._context, step)
        try:
            limit = build_timeout(self.config, self.plan.settings.multipliers)
            await asyncio.wait_for(sandbox.start(), waitable(limit))
            with sandbox.as_user(user):
                await sandbox.empty(LOGS_OF_VERIFIER, open_to_all=True)
                await upload_artifacts(sandbox, artifacts, self.artifacts(step))
                running = self._verifier.verify(sandbox, self.folder.verifier, step, has_tests=True)
                return await asyncio.wait_for(running, waitable(timeout))
        finally:
            # Rule: run-trial/stop-error
            with suppress(Exception):
                await self._context.stop(sandbox)

    def artifacts(self, step: TaskStep | None = None) -> Sequence[Artifact]:
        """Return the task's artifacts and those of a step."""
        return all_artifacts([*self.config.artifacts, *(step.artifacts if step else ())])

    async def stop(self) -> None:
        """Stop the agent's sandbox, once. It still stops if the trial is cancelled meanwhile."""
        # Rule: run-trial/stop-once
        if self._is_stopped:
            return
        try:
            await self._context.stop(self.sandbox)
        except asyncio.CancelledError:
            _LOG.info("cancelled while the sandbox stops")
        # Rule: run-trial/stop-error
        except Exception as error:
            self.fail(error)
        self._is_stopped = True


async def _nothing() -> None:
    pass


def _is_cancelled() -> bool:
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0
