"""A trial's course, from its empty directory to its result.json. Rules: `run-trial/*`, `trial-reward/*`.

A trial passes through these phases, in this order. Those in quotes are the events that it reports as it enters them.

    phase          what is done in it                                                an error leads to
    -------------  ----------------------------------------------------------------  -----------------------
    planned        its directory is made, and config.json is written                 the caller
    "start"        nothing yet
    "environment"  the sandbox starts, and is healthy; the agent is set up           recovery
    "agent"        the agent runs; its logs are fetched                              handover, or recovery
    handover       its processes end, its logs go back, its artifacts are fetched;   recovery
                   the sandbox stops if the verifier has its own
    "verifier"     the tests are uploaded and run, and the rewards read              recovery
    recovery       the logs and artifacts that are missing are fetched               stop, and the caller
    stop           the sandbox stops                                                 "end"
    "end"          result.json is written                                            the caller

Four facts hold in every course:

- The first error is the trial's. Later ones are only in trial.log.
- An agent that ran into its timeout, or whose command failed, may have done its work, so the handover follows.
- The sandbox stops once, and no phase but stop and end follows. A separate verifier's sandbox starts and stops in
  "verifier", and the agent's stops before.
- A trial that is cancelled recovers, reports "cancel", stops and ends like any other; then the cancellation goes on.

A task with steps repeats preparation, agent, handover and verifier for each step, with these differences:

- An error of a step's setup script, healthcheck, agent or verifier is the step's, not the trial's. After one in the
  preparation, the step has no agent and no verifier. Any other error is the trial's.
- What a step leaves is moved into the step's directory.
- `scorer.trial_reward` decides, from the steps' rewards and errors, whether a step is the last one, and what the
  trial's rewards are.

Mirrors harbor.trial.trial, single_step and multi_step in behaviour.
"""

import asyncio
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal
from uuid import UUID

from parity.driver.agents import VERSION, Agent, agent_of
from parity.driver.artifacts import artifacts_of, download_artifacts
from parity.driver.documents.results import Result, Step, exception_info, new_result, timed, verified
from parity.driver.documents.writing import write_document
from parity.driver.errors import (
    AgentSetupTimeoutError,
    AgentTimeoutError,
    EnvironmentStartTimeoutError,
    HealthcheckError,
    NonZeroAgentExitCodeError,
    VerifierTimeoutError,
)
from parity.driver.log_directories import LogDirectories, log_directories
from parity.driver.places import TrialDirectory
from parity.driver.reward_limits import check_keys
from parity.driver.sandbox import User
from parity.driver.shell_commands import run_set_up
from parity.driver.threads import in_thread
from parity.driver.trial_log import trial_log
from parity.driver.trial_plan import RunContext, Trial, waitable
from parity.driver.trial_sandbox import TrialSandbox
from parity.driver.verification import verify_apart, verify_here
from parity.formats.task import TaskStep
from parity.formats.trial_result import AgentResult
from parity.scorer.trial_reward import StepReward, derive, ends_trial

type TrialEvent = Literal["start", "environment", "agent", "verifier", "cancel", "end"]

type EventListener = Callable[[TrialEvent, Trial, Result], None]
"""A callback that is called at each event of a trial."""

_LOG = logging.getLogger("parity.driver")


def ignore_event(event: TrialEvent, trial: Trial, result: Result) -> None:
    """Ignore every event."""


async def run_trial(trial: Trial, context: RunContext, job_id: UUID, on_event: EventListener = ignore_event) -> Result:
    """Run a trial, write its directory, and return its result. Errors during the trial are recorded, not raised.

    Raises:
        ValueError: the sandbox or the agent needs an environment variable that is not set on the host. Nothing was
            started.
        asyncio.CancelledError: the trial was cancelled; its directory is still complete.
        OSError: the trial's directory cannot be written.
    """
    # Rule: run-trial/files
    for directory in trial.directory.parts:
        directory.mkdir(parents=True, exist_ok=True)
    agent = agent_of(trial)
    sandbox = trial.agent_sandbox(context)
    logs = log_directories(sandbox, trial.directory)
    logs.prepare()
    result = new_result(trial, agent.name, VERSION, job_id)
    write_document(trial.directory.path / "config.json", result.config)
    with trial_log(trial.directory.path / "trial.log"):
        await RunningTrial(trial, context, sandbox, agent, logs, result, on_event).run()
    return result


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
    _has_agent_logs: bool = False
    """Whether the agent's logs have been brought to the host; in a multi-step task, the logs from the current step."""

    _has_artifacts: bool = False
    _is_stopped: bool = False
    _processes: str = ""
    """The processes that were running before the agent was started."""

    async def run(self) -> None:
        """Run the trial from "start" to "end". The errors are those of `run_trial`."""
        self._report("start")
        try:
            # Rule: run-trial/calls
            await self._set_up_environment()
            await self._set_up_agent()
            await (self._run_steps() if self.trial.task.config.steps else self._run_whole())
        # Rule: run-trial/cancellation
        except asyncio.CancelledError as error:
            self._fail(error)
            await self._recover()
            self._report("cancel")
            raise
        # Rules: run-trial/program-ends, run-trial/ends
        except Exception as error:
            self._fail(error)
            await self._recover()
        finally:
            await self._stop()
            self.result.finished_at = datetime.now(UTC)
            write_document(self.trial.directory.path / "result.json", self.result)
            self._report("end")

    async def _run_whole(self) -> None:
        """Run the agent and the verifier once each, on a task without steps."""
        try:
            await self._run_agent(self.result)
        # Rule: run-trial/verified-after-error
        except (AgentTimeoutError, NonZeroAgentExitCodeError) as error:
            self._fail(error)
        finally:
            await self._fetch_agent_logs()
        await self._end_agent()
        await self._fetch_artifacts()
        # Rule: run-trial/stop-before-separate
        if self.trial.task.config.is_separate():
            await self._stop()
        await self._verify(self.result, self.trial.directory.artifacts)

    async def _run_steps(self) -> None:
        """Run the steps until one of them is the last, and derive the trial's rewards from the steps' rewards."""
        config = self.trial.task.config
        results = self.result.step_results = []
        for step in config.steps:
            results.append(Step(step_name=step.name))
            await self._run_step(step, results[-1])
            # Rule: run-trial/min-reward
            if ends_trial(step.min_reward, _record(results[-1]), not self.trial.job.verifier.disable):
                break
        # Rule: run-trial/rewards
        derived = derive(config.multi_step_reward_strategy, list(map(_record, results)), self.context.series)
        check_keys(derived["rewards"], "all steps together have")
        self.result.verifier_result = verified(derived["rewards"]) if derived["verified"] else None
        await self._stop()
        await in_thread(self.trial.directory.remove_empty)

    async def _run_step(self, step: TaskStep, result: Step) -> None:
        directory, steps = self.trial.directory.step(step.name), self.trial.task.config.steps
        for part in (directory.agent, directory.verifier):
            part.mkdir(parents=True, exist_ok=True)
        await self._prepare(step, result)
        if result.exception_info is None:
            # Rule: run-trial/verified-after-error
            try:
                with _errors_of_step(result, Exception):
                    await self._run_agent(result, step)
            finally:
                await self._fetch_agent_logs()
            await self._end_agent()
            artifacts = await self._fetch_artifacts_of_step(step, directory)
            # Rule: run-trial/stop-before-separate
            if self.trial.task.config.is_separate(step) and step is steps[-1]:
                await self._stop()
            with _errors_of_step(result, Exception):
                await self._verify(result, artifacts, step)
        # Rule: run-trial/step-archive
        await in_thread(self.trial.directory.move_contents, directory)

    async def _prepare(self, step: TaskStep, result: Step) -> None:
        """Empty the agent's logs, upload the step's files, and run the step's setup script and healthcheck."""
        self._has_agent_logs = False
        await self.logs.begin_step(is_first=step is self.trial.task.config.steps[0])
        files = self.trial.task.step(step) / "workdir"
        # Rules: run-trial/step-preparation, run-trial/agent-user
        with self.sandbox.as_user(self._agent_user(step)):
            workdir = await self.sandbox.working_directory()
            if files.exists():
                await self.sandbox.put(files, workdir)
            if (files / "setup.sh").exists():
                with _errors_of_step(result, Exception):
                    command = run_set_up(f"{workdir.rstrip('/')}/setup.sh")
                    ended = await self.sandbox.exec(command, timeout=self.sandbox.script_timeout)
                    if ended.code != 0:
                        message = f"setup.sh of step {step.name} exited with code {ended.code}: {ended.stderr}"
                        raise RuntimeError(message)
            if result.exception_info is None:
                with _errors_of_step(result, HealthcheckError):
                    await self.sandbox.check_health(step.healthcheck)

    async def _set_up_environment(self) -> None:
        """Start the sandbox, and wait until its healthcheck succeeds."""
        self._report("environment")
        limit = self.trial.build_timeout
        try:
            with timed() as self.result.environment_setup:
                await asyncio.wait_for(self.sandbox.start(), waitable(limit))
        # Rule: run-trial/start-timeout
        except TimeoutError as error:
            raise EnvironmentStartTimeoutError(f"the sandbox did not start within {limit} seconds") from error
        # Rule: run-trial/healthcheck-first
        await self.sandbox.check_health(self.trial.task.config.environment.healthcheck)

    async def _set_up_agent(self) -> None:
        """Apply the agent's setup timeout. This driver's agents need no setup, but the timeout may be zero."""
        limit = self.trial.agent_setup_timeout
        try:
            with timed() as self.result.agent_setup:
                await asyncio.wait_for(_nothing(), waitable(limit))
        # Rule: run-trial/agent-setup-timeout
        except TimeoutError as error:
            raise AgentSetupTimeoutError(f"the agent was not set up within {limit} seconds") from error

    async def _run_agent(self, target: Result | Step, step: TaskStep | None = None) -> None:
        """Run the agent on the whole task or on one step, and record the run in the target.

        Raises:
            AgentTimeoutError: the agent ran into its timeout, or raised a TimeoutError itself.
            Exception: there is no instruction, or the agent raised any other exception.
        """
        if self.trial.options.end_processes:
            self._processes = await self.sandbox.processes()
        timeout = self.trial.agent_timeout(step)
        instruction = self.trial.task.instruction(step)
        self._report("agent")
        target.agent_result = AgentResult()
        try:
            # Rule: run-trial/agent-user
            with timed() as target.agent_execution, self.sandbox.as_user(self._agent_user(step)):
                await asyncio.wait_for(self.agent.run(instruction, self.sandbox, self.logs), waitable(timeout))
        # Rule: run-trial/agent-timeout
        except TimeoutError as error:
            raise AgentTimeoutError(f"the agent ran into its timeout of {timeout} seconds") from error

    def _agent_user(self, step: TaskStep | None) -> User | None:
        # Rule: run-trial/step-user
        return self.trial.task.config.agent.user if step is None or step.agent.user is None else step.agent.user

    async def _end_agent(self) -> None:
        """Kill the processes that the agent left running, if the options require that; upload its logs again.

        Raises:
            RuntimeError: the processes could not be killed.
        """
        if self.trial.options.end_processes:
            await self.sandbox.end_others(self._processes)
        await self.logs.return_agent_logs()

    async def _fetch_agent_logs(self) -> None:
        if not self._has_agent_logs:
            await self.logs.fetch_agent_logs()
            self._has_agent_logs = True

    async def _fetch_artifacts(self) -> None:
        """Download the artifacts of a task without steps, unless that has been done."""
        # Rule: run-trial/recovery
        if not self._has_artifacts:
            artifacts = artifacts_of(self.trial.task.config, None)
            await download_artifacts(self.sandbox, self.logs, self.trial.directory.artifacts, artifacts)
            self._has_artifacts = True

    async def _fetch_artifacts_of_step(self, step: TaskStep, directory: TrialDirectory) -> Path:
        """Download a step's artifacts, and return their directory."""
        target = self.logs.artifacts_of_step(directory)
        await download_artifacts(self.sandbox, self.logs, target, artifacts_of(self.trial.task.config, step))
        return target

    async def _verify(self, target: Result | Step, artifacts: Path, step: TaskStep | None = None) -> None:
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
        self._report("verifier")
        try:
            with timed() as target.verifier:
                if self.trial.task.config.is_separate(step):
                    rewards = await verify_apart(self.trial, step, self.context, artifacts)
                else:
                    rewards = await verify_here(self.trial, step, self.context, self.sandbox, self.logs, artifacts)
                target.verifier_result = verified(rewards)
        except TimeoutError as error:
            # Rule: run-trial/step-verifier-timeout
            if step is not None:
                raise
            limit = self.trial.verifier_timeout(step)
            raise VerifierTimeoutError(f"the verifier ran into its timeout of {limit} seconds") from error

    async def _recover(self) -> None:
        """After an error, save the agent's logs and, in a task without steps, the artifacts; then stop the sandbox."""
        # Rule: run-trial/recovery
        await self._fetch_agent_logs()
        if not self.trial.task.config.steps:
            await self._fetch_artifacts()
        await self._stop()

    async def _stop(self) -> None:
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
            self._fail(error)
        self._is_stopped = True

    def _fail(self, error: BaseException) -> None:
        """Record an exception as the trial's error, unless the trial already has one."""
        # Rule: run-trial/first-error
        if self.result.exception_info is None:
            self.result.exception_info = exception_info(error)
            # Rule: run-trial/message-presence
            path = self.trial.directory.path / "exception.txt"
            path.write_text(self.result.exception_info.exception_traceback, encoding="utf-8")
        _LOG.info("%s: %s", type(error).__name__, error)

    def _report(self, event: TrialEvent) -> None:
        self.on_event(event, self.trial, self.result)


async def _nothing() -> None:
    pass


@contextmanager
def _errors_of_step(result: Step, kind: type[Exception]) -> Iterator[None]:
    """Record errors of this kind as the step's instead of raising them, unless the step already has one."""
    try:
        yield
    except kind as error:
        # Rule: run-trial/first-error
        if result.exception_info is None:
            result.exception_info = exception_info(error)


def _record(result: Step) -> StepReward:
    return {
        "verified": result.verifier_result is not None,
        "rewards": None if result.verifier_result is None else result.verifier_result.rewards,
        "exception": None if result.exception_info is None else result.exception_info.exception_type,
    }
