"""Read the fields of a trial's result.json that the job's stats need.

Of the trial's configuration, only the task and the agent are read.
"""

import json
import math
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from pydantic_core import from_json, to_json

from parity.formats.document import Document
from parity.formats.trial_result import AgentInfo, PhaseResults, StepResult, TrialResult
from parity.scorer.from_disk.documents import read_document
from parity.scorer.job import JobTrial, Usage
from parity.scorer.values import Rewards, literal_nans

type Kind = tuple[str | None, ...]
"""Task and agent of a trial, in lock.json and result.json. Trials of one kind are attempts."""

_REPLACED = "\ufffd" * 3
"""The replacement for half of a surrogate pair."""


class _Task(Document):
    path: str | None = None
    git_url: str | None = None
    name: str | None = None
    source: str | None = None


class _Configuration(Document):
    task: _Task
    agent: dict[str, Any]


_Result = TrialResult[_Configuration, float | int | None]


class StepFile(NamedTuple):
    """A step of a multi-step trial: its name, whether it was verified, and its rewards."""

    name: str
    verified: bool
    rewards: Rewards | None


class TrialFile(NamedTuple):
    """A trial that has ended, read from its folder."""

    folder: str
    """Name of the folder."""

    trial: JobTrial
    kind: Kind
    started: float
    """Start of the trial, in seconds since 1970; 0 if the file has no time."""

    finished: float = 0.0
    """End of the trial, in seconds since 1970."""

    steps: tuple[StepFile, ...] | None = None

    @property
    def stored(self) -> JobTrial:
        """Return the trial, named as its folder."""
        return replace(self.trial, name=self.folder)

    @property
    def lost(self) -> bool:
        """Return whether the file has lost rewards: nan and infinities are written as null, and become nan here."""
        rewards = self.trial.rewards or {}
        return any(value != value or _REPLACED in key for key, value in rewards.items())


def read_trial(folder: Path | str) -> TrialFile:
    """Read the trial in a folder from its result.json.

    Raises:
        FolderError: the file cannot be read, or Harbor's models refuse one of the fields that are read.
    """
    result = read_document(f"{folder}/result.json", _Result)
    return TrialFile(
        str(folder).rsplit("/", 1)[-1],
        job_trial(result),
        _kind(result.config),
        seconds(result.started_at),
        seconds(result.finished_at),
        None if result.step_results is None else tuple(map(_step, result.step_results)),
    )


def seconds(time: datetime | None) -> float:
    """Return the seconds since 1970 of a time, which is local if it has no zone; 0 for None."""
    if time is None:
        return 0.0
    try:
        return time.timestamp()
    except (ValueError, OverflowError, OSError):  # a local time at the end of the calendar
        return time.replace(tzinfo=UTC).timestamp()


def _step(result: StepResult[Any]) -> StepFile:
    return StepFile(result.step_name, result.verifier_result is not None, _rewards(result))


def job_trial(result: TrialResult[Any, Any]) -> JobTrial:
    """Return a trial for the job's stats, from its result.json."""
    info, error = result.agent_info, result.exception_info
    return JobTrial(
        info.name,
        _model(info),
        result.source,
        result.task_name,
        _rewards(result),
        result.trial_name,
        # Rule: run-job/step-errors
        None if error is None else error.exception_type,
        # The usage of the one agent run, or else of each step's.
        _used([result] if result.agent_result is not None else result.step_results or ()),
        literal_nans(_rewards(result)),
    )


def _used(results: Iterable[PhaseResults[Any]]) -> tuple[Usage, ...]:
    return tuple(
        Usage(used.n_input_tokens, used.n_cache_tokens, used.n_output_tokens, used.cost_usd)
        for result in results
        if (used := result.agent_result) is not None
    )


def _model(info: AgentInfo) -> str | None:
    return None if info.model_info is None else info.model_info.name


def _rewards(result: PhaseResults[Any]) -> Rewards | None:
    """Return the rewards of a result. nan and infinities were written as null, and are nan here."""
    rewards = None if result.verifier_result is None else result.verifier_result.rewards
    return rewards and {key: math.nan if value is None else value for key, value in rewards.items()}


def _kind(config: _Configuration) -> Kind:
    task = config.task
    return task.path, task.git_url, task.name, task.source, agent_text(config.agent)


def agent_text(agent: dict[str, Any]) -> str:
    """Return an agent's configuration as text; configurations that differ only in order and nulls have equal texts."""
    return _agent_text(to_json(agent))


@lru_cache(256)
def _agent_text(written: bytes) -> str:
    """Return the text of an agent's configuration, cached because most trials of a job share a few."""
    return json.dumps(without_nulls(from_json(written)), sort_keys=True)


def without_nulls(value: Any) -> Any:
    """Return a document without the members that are null, however deep."""
    if isinstance(value, dict):
        return {key: without_nulls(item) for key, item in value.items() if item is not None}
    if isinstance(value, list):
        return [without_nulls(item) for item in value]
    return value
