"""Run one trial: from making its directory to writing its result.json. Rules: `run-trial/*`.
Mirrors harbor.trial.single_step in behaviour.
"""

import asyncio
from collections.abc import Mapping
from datetime import UTC, datetime
from uuid import UUID, uuid4

from parity.driver.agents import VERSION, Agent, agent_of
from parity.driver.documents.configurations import written_agent, written_job, written_trial
from parity.driver.documents.results import Result
from parity.driver.documents.writing import write_document
from parity.driver.errors import AgentTimeoutError, NonZeroAgentExitCodeError
from parity.driver.log_directories import log_directories
from parity.driver.running_trial import EventListener, RunningTrial, TrialEvent
from parity.driver.steps import run_steps
from parity.driver.trial import RunContext, Trial
from parity.driver.trial_log import trial_log
from parity.formats.configuration import AgentConfiguration, TaskConfiguration
from parity.formats.trial_result import AgentInfo, LocalTaskId, ModelInfo


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
    agent = agent_of(trial, context.host)
    sandbox = trial.agent_sandbox(context)
    logs = log_directories(sandbox, trial.directory)
    logs.prepare()
    result = _new_result(trial, agent, job_id, context.host)
    write_document(trial.directory.path / "config.json", result.config)
    with trial_log(trial.directory.path / "trial.log"):
        await _live(RunningTrial(trial, context, sandbox, agent, logs, result, on_event))
    return result


async def _live(running: RunningTrial) -> None:
    running.report("start")
    try:
        # Rule: run-trial/calls
        await running.start_sandbox()
        await running.set_up_agent()
        if running.trial.task.config.steps:
            await run_steps(running)
        else:
            await _run_whole(running)
    # Rule: run-trial/cancellation
    except asyncio.CancelledError as error:
        running.fail(error)
        await running.recover()
        running.report("cancel")
        raise
    # Rules: run-trial/program-ends, run-trial/ends
    except Exception as error:
        running.fail(error)
        await running.recover()
    finally:
        await running.stop()
        running.result.finished_at = datetime.now(UTC)
        write_document(running.trial.directory.path / "result.json", running.result)
        running.report("end")


async def _run_whole(running: RunningTrial) -> None:
    """Run the agent and the verifier once each, on a task without steps."""
    try:
        await running.run_agent(running.result)
    # Rule: run-trial/verified-after-error
    except (AgentTimeoutError, NonZeroAgentExitCodeError) as error:
        running.fail(error)
    finally:
        await running.fetch_agent_logs()
    await running.end_agent()
    await running.logs.return_agent_logs()
    await running.fetch_artifacts()
    # Rule: run-trial/stop-before-separate
    if running.trial.task.config.is_separate():
        await running.stop()
    await running.verify(running.result, running.trial.directory.artifacts)


def _new_result(trial: Trial, agent: Agent, job_id: UUID, host: Mapping[str, str]) -> Result:
    task = TaskConfiguration(path=trial.task.path, source=trial.source)
    job, configured = written_job(trial.job, host), written_agent(trial.agent, host)
    # Rule: run-trial/result
    return Result(
        id=uuid4(),
        task_name=trial.task.name,
        trial_name=trial.name,
        trial_uri=trial.directory.path.expanduser().resolve().as_uri(),
        task_id=LocalTaskId(path=str(trial.task.path)),
        source=trial.source,
        task_checksum=trial.task.checksum,
        # Rule: run-trial/result-config
        config=written_trial(job, configured, task, trial.name, job_id),
        agent_info=AgentInfo(name=agent.name, version=VERSION, model_info=_model_info(trial.agent)),
        started_at=datetime.now(UTC),
    )


def _model_info(agent: AgentConfiguration) -> ModelInfo | None:
    """Split the model's name into provider and name if it has the form `provider/name`; None if there is no name."""
    # Rules: run-trial/model, run-job/models
    provider, slash, name = (agent.model_name or "").partition("/")
    if not slash:
        return ModelInfo(name=provider) if provider else None
    return ModelInfo(name=name, provider=provider) if name else None
