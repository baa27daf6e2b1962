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

from parity.formats.configuration import AgentConfiguration, TaskConfiguration
from parity.formats.document import Document
from parity.formats.lock import LockedTask
from parity.formats.trial_result import PhaseResults, StepResult, TrialResult
from parity.scorer.from_disk.documents import read_document
from parity.scorer.job import JobTrial, Usage
from parity.scorer.values import Rewards, literal_nans

type TaskAndAgent = tuple[str | None, ...]
"""Trials with the same task and agent are attempts."""

_REPLACED = "\ufffd" * 3
"""The replacement for half of a surrogate pair."""


class _Configuration(Document):
    task: TaskConfiguration
    agent: AgentConfiguration


_Result = TrialResult[_Configuration, float | int | None]


@dataclass(frozen=True)
class StepFile:
    """A step of a multi-step trial."""

    name: str
    verified: bool
    rewards: Rewards | None
    exception: str | None
    """Class name of the error that the step records."""


@dataclass(frozen=True)
class TrialFile:
    """A trial that has ended, read from its directory."""

    directory: str
    """Name of the directory."""

    trial: JobTrial
    task_and_agent: TaskAndAgent
    started: float
    """Start of the trial, in seconds since 1970; 0 if the file has no time."""

    steps: tuple[StepFile, ...] | None = None
    """The steps of a multi-step trial; None for any other."""

    @property
    def lost(self) -> bool:
        """Whether the file lost rewards: nan and infinities are written as null, and become nan here."""
        return any(value != value or _REPLACED in key for key, value in (self.trial.rewards or {}).items())


def read_trial(directory: Path | str) -> TrialFile:
    """Read the trial in a directory from its result.json.

    Raises:
        FileError: the file cannot be read, or Harbor's models refuse one of the fields that are read.
    """
    result = read_document(f"{directory}/result.json", _Result)
    return TrialFile(
        str(directory).rsplit("/", 1)[-1],
        job_trial(result),
        task_and_agent(result.config.task, result.config.task.name, result.config.agent),
        _seconds(result.started_at),
        None if result.step_results is None else tuple(map(_step, result.step_results)),
    )


def job_trial(result: TrialResult[Any, Any]) -> JobTrial:
    """Return a trial for the job's stats, from its result.json."""
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
        # The usage of the one agent run, or else of each step's.
        _usage([result] if result.agent_result is not None else result.step_results or ()),
        literal_nans(_rewards(result)),
    )


def task_and_agent(
    task: TaskConfiguration | LockedTask, package: str | None, agent: AgentConfiguration
) -> TaskAndAgent:
    """Return what all attempts share: a package is identified by its name, a task in a directory by the directory."""
    return None if task.path is None else str(task.path), task.git_url, package, task.source, _agent_key(agent)


def _agent_key(agent: AgentConfiguration) -> str:
    """Return a string for an agent's configuration. Configurations that differ only in order and nulls share it."""
    return json.dumps(_without_nulls(agent.model_dump(mode="json")), sort_keys=True)


def _without_nulls(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_nulls(item) for key, item in value.items() if item is not None}
    if isinstance(value, list):
        return [_without_nulls(item) for item in value]
    return value


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
    """Rewards. nan and infinities were stored as null, and become nan here."""
    rewards = None if result.verifier_result is None else result.verifier_result.rewards
    return rewards and {key: math.nan if value is None else value for key, value in rewards.items()}


def _seconds(time: datetime | None) -> float:
    """Seconds since 1970. A time without a zone is local; None is 0."""
    if time is None:
        return 0.0
    try:
        return time.timestamp()
    except (ValueError, OverflowError, OSError):  # a local time at the end of the calendar
        return time.replace(tzinfo=UTC).timestamp()
