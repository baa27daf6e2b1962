"""The result.json of a trial, which is filled while the trial runs."""

import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from uuid import UUID, uuid4

from parity.driver.documents.configurations import written_trial
from parity.driver.trial_plan import Trial
from parity.formats.configuration import AgentConfiguration, TaskConfiguration, TrialConfiguration
from parity.formats.trial_result import (
    AgentInfo,
    ExceptionInfo,
    LocalTaskId,
    ModelInfo,
    PhaseTiming,
    StepResult,
    TrialResult,
    VerifierRewards,
)
from parity.scorer.values import Number, Rewards

Result = TrialResult[TrialConfiguration, Number]
"""The result of a trial that this driver runs."""

Step = StepResult[Number]
"""The result of one step of a trial that this driver runs."""


def new_result(trial: Trial, agent: str, version: str, job_id: UUID) -> Result:
    """Return the result of a trial that starts now, by the agent with this name and version."""
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
        config=written_trial(
            trial.written,
            trial.written_agent,
            TaskConfiguration(path=trial.task.path, source=trial.source),
            trial.name,
            job_id,
        ),
        agent_info=AgentInfo(name=agent, version=version, model_info=_model_info(trial.agent)),
        started_at=datetime.now(UTC),
    )


def _model_info(agent: AgentConfiguration) -> ModelInfo | None:
    """Split the model's name into provider and name if it has the form `provider/name`; None if there is no name."""
    # Rules: run-trial/model, run-job/models
    provider, slash, name = (agent.model_name or "").partition("/")
    if not slash:
        return ModelInfo(name=provider) if provider else None
    return ModelInfo(name=name, provider=provider) if name else None


@contextmanager
def timed() -> Iterator[PhaseTiming]:
    """Record when the `with` block starts and finishes, in UTC, even if it raises an exception."""
    # Rule: run-trial/timings
    timing = PhaseTiming(started_at=datetime.now(UTC))
    try:
        yield timing
    finally:
        timing.finished_at = datetime.now(UTC)


def verified(rewards: Rewards | None) -> VerifierRewards[Number]:
    """Return the verifier's result. The rewards are not validated or copied, so that each nan stays the same object."""
    return VerifierRewards[Number].model_construct(rewards=rewards)


def exception_info(error: BaseException) -> ExceptionInfo:
    """Return the record of an exception that is being handled. The record's time is local time."""
    # Rule: run-trial/message-presence
    return ExceptionInfo(
        exception_type=type(error).__name__,
        exception_message=_writable(str(error)),
        exception_traceback=_writable(traceback.format_exc()),
        occurred_at=datetime.now(),
    )


def _writable(text: str) -> str:
    # Harbor cannot write a trial's result if the error message has a file name that is not UTF-8. Here it is escaped.
    return text.encode("utf-8", "backslashreplace").decode()
