"""Read the fields of a trial's result.json that the job's stats need.

Of the trial's configuration, only the task and the agent are read.
"""

import json
import math
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pydantic import Field

from parity.formats.configuration import AgentConfiguration, TaskConfiguration
from parity.formats.document import Document
from parity.formats.lock import LockedTask
from parity.formats.trial_result import PhaseResults, StepResult, TrialResult
from parity.scorer.job import JobTrial, Usage
from parity.scorer.job_directory.documents import read_document
from parity.scorer.values import Rewards, literal_nans

type TaskAndAgent = tuple[str | None, ...]
"""The identity of a task and an agent. Trials with the same value are attempts at the same task by the same agent."""

_REPLACED = "\ufffd" * 3
"""The replacement for an unpaired surrogate."""


class _Configuration(Document):
    task: TaskConfiguration
    agent: AgentConfiguration = Field(default_factory=AgentConfiguration)


_Result = TrialResult[_Configuration, float | int | None]


@dataclass(frozen=True)
class StepFile:
    """A step of a multi-step trial, read from the trial's result.json."""

    name: str
    verified: bool
    rewards: Rewards | None
    exception: str | None
    """Class name of the exception that the step records; None if it records none."""


@dataclass(frozen=True)
class TrialFile:
    """A trial that has ended, read from its directory."""

    directory: str
    """Name of the directory."""

    trial: JobTrial
    task_and_agent: TaskAndAgent
    started: float
    """When the trial started, in seconds since 1970; 0 if the file does not record a time."""

    steps: tuple[StepFile, ...] | None
    """The steps of a multi-step trial; None for a single-step trial."""

    lost_number: bool
    """Whether a reward is null, because Harbor writes nan and infinities as null. Such a null is read as nan."""

    @property
    def lost_key(self) -> bool:
        """Whether Harbor replaced an unpaired surrogate in the key of a reward."""
        return any(_REPLACED in key for key in self.trial.rewards or ())


def read_trial(directory: Path) -> TrialFile:
    """Read a trial's result.json from the trial's directory.

    Raises:
        FileError: the file cannot be read, or Harbor's models reject one of the fields that are read.
    """
    result = read_document(directory / "result.json", _Result)
    return TrialFile(
        directory.name,
        job_trial(result),
        task_and_agent(result.config.task, result.config.task.name, result.config.agent),
        _seconds(result.started_at),
        None if result.step_results is None else tuple(map(_step, result.step_results)),
        result.verifier_result is not None and None in (result.verifier_result.rewards or {}).values(),
    )


def job_trial(result: TrialResult[Any, Any]) -> JobTrial:
    """Convert a trial's result.json to a trial for the job's stats."""
    info, error = result.agent_info, result.exception_info
    return JobTrial(
        info.name,
        None if info.model_info is None else info.model_info.name,
        result.source,
        result.task_name,
        _rewards(result),
        result.trial_name,
        # Rule: run-job/step-errors
        None if error is None else error.exception_type,
        # The usage of the trial's agent run, or if the trial has none, of each step's agent run.
        _usage([result] if result.agent_result is not None else result.step_results or ()),
        literal_nans(_rewards(result)),
    )


def task_and_agent(
    task: TaskConfiguration | LockedTask, package: str | None, agent: AgentConfiguration
) -> TaskAndAgent:
    """Return the identity that attempts share: the agent, and the package's name or the directory of the task."""
    return None if task.path is None else str(task.path), task.git_url, package, task.source, _agent_key(agent)


def _agent_key(agent: AgentConfiguration) -> str:
    """Return a string for an agent's configuration, the same for configurations that differ only in order."""
    return json.dumps(agent.model_dump(mode="json"), sort_keys=True)


def _step(result: StepResult[Any]) -> StepFile:
    error = result.exception_info
    return StepFile(
        result.step_name,
        result.verifier_result is not None,
        _rewards(result),
        None if error is None else error.exception_type,
    )


def _usage(results: Iterable[PhaseResults[Any]]) -> tuple[Usage, ...]:
    return tuple(
        Usage(used.n_input_tokens, used.n_cache_tokens, used.n_output_tokens, used.cost_usd)
        for result in results
        if (used := result.agent_result) is not None
    )


def _rewards(result: PhaseResults[Any]) -> Rewards | None:
    """Return the rewards. Harbor wrote nan and infinities as null; null is read as nan."""
    rewards = None if result.verifier_result is None else result.verifier_result.rewards
    return rewards and {key: math.nan if value is None else value for key, value in rewards.items()}


def _seconds(time: datetime | None) -> float:
    """Return seconds since 1970. A time without a time zone is local time; None becomes 0."""
    if time is None:
        return 0.0
    try:
        return time.timestamp()
    except (ValueError, OverflowError, OSError):  # a local time at the limits of the calendar
        return time.replace(tzinfo=UTC).timestamp()
