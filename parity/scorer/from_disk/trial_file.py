"""A trial's result.json to what the job's stats need of it.

The configuration is not looked at, but for the task and the agent; ids and times must have Harbor's spelling.
"""

import math
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from parity.scorer.from_disk.layout import parse_trial
from parity.scorer.from_disk.reading import (
    DocumentReader,
    Fields,
    Model,
    agent,
    identifier,
    items,
    number,
    optional,
    path,
    read_document,
    rewards,
    seconds,
    table,
    text,
    time,
    whole,
)
from parity.scorer.job import JobTrial, Usage
from parity.scorer.values import Rewards

type Kind = tuple[str | None, ...]
"""Task and agent of a trial; trials of one kind are attempts. lock.json and result.json both name them."""

_REPLACED = "\ufffd" * 3
"""What is written for half of a surrogate pair."""


class StepFile(NamedTuple):
    """A step of a multi-step trial: its name, whether it was verified, and its rewards."""

    name: str
    verified: bool
    rewards: Rewards | None


class TrialFile(NamedTuple):
    """A trial that has ended, as its folder has it."""

    folder: str
    """Name of the folder."""

    trial: JobTrial
    kind: Kind
    started: float
    finished: float
    """Seconds since 1970; 0 where the file does not say."""

    steps: tuple[StepFile, ...] | None = None

    @property
    def lost(self) -> bool:
        """Whether the file cannot hold the rewards: nan and infinities are written as null, and are nan here."""
        rewards = self.trial.rewards or {}
        return any(value != value or _REPLACED in key for key, value in rewards.items())


_TIMING = Model({}, optional(started_at=time, finished_at=time))
_OF_AGENT = Model(
    {},
    {
        **optional(n_input_tokens=whole, n_cache_tokens=whole, n_output_tokens=whole, cost_usd=number),
        **optional(rollout_details=items(table), metadata=table),
    },
)
_ERROR = Model(
    {**dict.fromkeys(("exception_type", "exception_message", "exception_traceback"), text), "occurred_at": time}, {}
)
_LOCAL_ID = Model({"path": path}, {})
_PACKAGE_ID = Model({"org": text, "name": text}, optional(ref=text))


def _task_id(value: object) -> object:
    """Of a task in a folder, in a repository, or in a package; which of them does not matter here."""
    is_package = isinstance(value, dict) and "path" not in value
    return (_PACKAGE_ID if is_package else _LOCAL_ID)(value)


def trial_result(config: DocumentReader, rewards: DocumentReader) -> Model:
    """The model of a trial's result.json, as Harbor reads it again.

    Args:
        config: reads the configuration.
        rewards: reads a verifier's rewards.
    """
    outcome: Fields = optional(
        agent_result=_OF_AGENT,
        verifier_result=Model({}, optional(rewards=rewards)),
        exception_info=_ERROR,
        agent_execution=_TIMING,
        verifier=_TIMING,
    )
    model_info = Model({"name": text}, optional(provider=text))
    return Model(
        {
            **dict.fromkeys(("task_name", "trial_name", "trial_uri", "task_checksum"), text),
            "task_id": _task_id,
            "config": config,
            "agent_info": Model({"name": text, "version": text}, optional(model_info=model_info)),
        },
        {
            **outcome,
            "id": (identifier, ""),
            **optional(source=text, started_at=time, finished_at=time, environment_setup=_TIMING, agent_setup=_TIMING),
            **optional(step_results=items(Model({"step_name": text}, outcome))),
        },
    )


def _rewards_with_nulls(value: object) -> object:
    """Rewards that may be null, because they were nan or infinite; such a one is nan."""
    return rewards({name: math.nan if item is None else item for name, item in table(value).items()})


_TASK = Model({}, optional(path=text, git_url=text, name=text, source=text))
_TRIAL = trial_result(Model({"task": _TASK, "agent": agent}, {}), _rewards_with_nulls)


def read_trial(folder: Path | str) -> TrialFile:
    """The trial that the result.json in its folder describes.

    Raises:
        FolderError: the file cannot be read, or a field that is read is not what Harbor's models take.
    """
    where = f"{folder}/result.json"
    result = read_document(where, _TRIAL, parse=parse_trial)
    steps = result["step_results"]
    step_files = None
    if steps is not None:
        step_files = tuple(
            StepFile(step["step_name"], step["verifier_result"] is not None, _rewards(step)) for step in steps
        )
    started, finished = (0.0 if (at := result[name]) is None else seconds(at) for name in ("started_at", "finished_at"))
    kind = kind_of_trial(result["config"]["task"], result["config"]["agent"])
    return TrialFile(os.path.basename(folder), job_trial(result), kind, started, finished, step_files)


def job_trial(result: Mapping[str, Any]) -> JobTrial:
    """The trial as the job's stats see it, from its result.json in uniform form."""
    info, error = result["agent_info"], result["exception_info"]
    own = [result["agent_result"]]
    # What the agent used, by itself or else step by step.
    used = own if own != [None] else [step["agent_result"] for step in result["step_results"] or ()]
    return JobTrial(
        info["name"],
        info["model_info"] and info["model_info"]["name"],
        result["source"],
        result["task_name"],
        # Rule: run-job/resume-replaced-key
        _rewards(result),
        result["trial_name"],
        error and error["exception_type"],
        tuple(
            Usage(each["n_input_tokens"], each["n_cache_tokens"], each["n_output_tokens"], each["cost_usd"])
            for each in used
            if each is not None
        ),
    )


def _rewards(result: Mapping[str, Any]) -> Rewards | None:
    verifier = result["verifier_result"]
    return None if verifier is None else verifier["rewards"]


def kind_of_trial(task: Mapping[str, str | None], agent: str) -> Kind:
    """The kind of trial that a configuration or a plan describes."""
    return task["path"], task["git_url"], task["name"], task["source"], agent
