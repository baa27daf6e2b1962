"""Read from a trial's result.json the fields that the job's stats need.

Of the trial's configuration, only the task and the agent are read.
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from sys import intern
from typing import Any, NamedTuple

from parity.scorer.from_disk.files import read_text
from parity.scorer.from_disk.layout import MISFITS, configured_agent, parse
from parity.scorer.from_disk.reading import AgentText, read_document, seconds
from parity.scorer.from_disk.trial_layout import AGENT_RESULT, cut_trial
from parity.scorer.from_disk.trial_models import AGENT_INFO, ERROR, STEPS, TRIAL, rewards_with_nulls
from parity.scorer.job import JobTrial, Usage
from parity.scorer.values import Rewards

type Kind = tuple[str | None, ...]
"""Task and agent of a trial, in lock.json and result.json. Trials of one kind are attempts."""

_REPLACED = "\ufffd" * 3
"""The replacement for half of a surrogate pair."""


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
    """Seconds since 1970; 0 if the file has no time."""

    ended: str | None = None
    """The time as it is written; None if the file has no time."""

    steps: tuple[StepFile, ...] | None = None

    @property
    def finished(self) -> float:
        """The end in seconds since 1970; 0 if the file has no time. Computed when needed, because few jobs need it."""
        return _seconds(self.ended)

    @property
    def lost(self) -> bool:
        """Whether the file has lost rewards: nan and infinities are written as null, and are nan here."""
        rewards = self.trial.rewards or {}
        return any(value != value or _REPLACED in key for key, value in rewards.items())


def read_trial(folder: Path | str) -> TrialFile:
    """Read the trial in a folder from its result.json.

    Raises:
        FolderError: the file cannot be read, or Harbor's models refuse one of the fields that are read.
    """
    where = f"{folder}/result.json"
    written, name = read_text(where), where.rsplit("/", 2)[-2]
    return trial_in_layout(name, written) or trial_of_result(name, read_document(where, TRIAL, written))


def trial_in_layout(folder: str, text: str) -> TrialFile | None:
    """Read a trial without models, if the text of its result.json has Harbor's layout and is sure to fit; else return
    None.
    """
    try:
        (task_name, name, source, *task, dataset), settings, tail = cut_trial(text)
        result, inputs, cached, outputs, cost, metadata, rewards, error, started, finished, step_results = tail
        agent, agent_name, model = _agent(settings)
        steps = step_results and STEPS(parse(step_results))
        own = Usage(inputs and int(inputs), cached and int(cached), outputs and int(outputs), cost and float(cost))
        used = _used(steps or ()) if result == "null" else (own,)
        if metadata is not None:
            parse(metadata)
        # Rule: run-job/resume-replaced-key
        rewards = rewards and _shared_rewards(rewards)
        error = error and ERROR(parse(error))["exception_type"]
    except MISFITS:
        return None
    # Many trials have the same dataset name. One string object for all of them is looked up faster.
    source, dataset = source and intern(source), dataset and intern(dataset)
    trial = JobTrial(agent_name, model, source, task_name, rewards, name, error, used)
    return TrialFile(folder, trial, (*task, dataset, agent), _seconds(started), finished, _steps(steps))


@lru_cache(256)
def _agent(settings: str) -> tuple[AgentText, str, str | None]:
    """Return the agent's configuration, its name and the model's name."""
    configured, described = settings.split(',\n    "agent_info": ')
    info = AGENT_INFO(parse(described.removesuffix(AGENT_RESULT)))
    return configured_agent(configured), info["name"], _model(info)


@lru_cache(256)
def _shared_rewards(text: str) -> Rewards:
    """Return the rewards of a text, cached because many trials have the same ones."""
    rewards: Rewards = rewards_with_nulls(parse(text))
    return rewards


def trial_of_result(folder: str, result: Mapping[str, Any]) -> TrialFile:
    """Return the trial in a folder, from its result.json in uniform form."""
    kind = kind_of_trial(result["config"]["task"], result["config"]["agent"])
    started, steps = _seconds(result["started_at"]), _steps(result["step_results"])
    return TrialFile(folder, job_trial(result), kind, started, result["finished_at"], steps)


def _seconds(time: str | None) -> float:
    return 0.0 if time is None else seconds(time)


def _steps(results: Iterable[Mapping[str, Any]] | None) -> tuple[StepFile, ...] | None:
    if results is None:
        return None
    return tuple(StepFile(step["step_name"], step["verifier_result"] is not None, _rewards(step)) for step in results)


def job_trial(result: Mapping[str, Any]) -> JobTrial:
    """Return a trial for the job's stats, from its result.json in uniform form."""
    info, error = result["agent_info"], result["exception_info"]
    return JobTrial(
        info["name"],
        _model(info),
        result["source"],
        result["task_name"],
        # Rule: run-job/resume-replaced-key
        _rewards(result),
        result["trial_name"],
        error and error["exception_type"],
        # The usage of the one agent run, or else of each step's.
        _used([result] if result["agent_result"] is not None else result["step_results"] or ()),
    )


def _used(results: Iterable[Mapping[str, Any]]) -> tuple[Usage, ...]:
    return tuple(
        Usage(used["n_input_tokens"], used["n_cache_tokens"], used["n_output_tokens"], used["cost_usd"])
        for result in results
        if (used := result["agent_result"]) is not None
    )


def _model(info: Mapping[str, Any]) -> str | None:
    return info["model_info"] and info["model_info"]["name"]  # type: ignore[no-any-return]


def _rewards(result: Mapping[str, Any]) -> Rewards | None:
    verifier = result["verifier_result"]
    return None if verifier is None else verifier["rewards"]


def kind_of_trial(task: Mapping[str, str | None], agent: str) -> Kind:
    """Return the kind of a trial from its configuration or its plan."""
    return task["path"], task["git_url"], task["name"], task["source"], agent
