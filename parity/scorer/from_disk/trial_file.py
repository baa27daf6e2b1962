"""A trial's result.json to what the job's stats need of it.

The fields that `trial_fields` names are held to Harbor's models; all others are not looked at.

The configuration inside is the same text in all attempts at a task, so it is parsed once and the rest of each file
without it. JSON has no line breaks inside strings, so the lines that Harbor writes show where it begins and ends; a
file in any other layout is parsed whole.
"""

import json
import sys
from typing import Any, NamedTuple

from parity.scorer.from_disk.files import FolderError, has_surrogates, parse_object
from parity.scorer.from_disk.trial_fields import (
    check_required,
    read_exception,
    read_name,
    read_time,
    read_usage,
    read_verifier,
    result_file,
    wrong,
)
from parity.scorer.from_disk.trial_kinds import KindsOfTexts, TrialKinds, agent_text
from parity.scorer.job import JobTrial, Usage
from parity.scorer.values import Rewards


class TrialFile(NamedTuple):
    """A trial that has ended, as its folder has it."""

    folder: str
    """Name of the folder."""

    trial: JobTrial
    kind: int
    started: float
    finished: float
    """Seconds since 1970; 0 where the file does not say."""

    steps: tuple["StepFile", ...] | None = None

    lost: bool = False
    """Whether the file cannot hold the rewards: nan and infinities are written as null."""


class StepFile(NamedTuple):
    """A step of a multi-step trial: its name, whether it was verified, and its rewards."""

    name: str
    verified: bool
    rewards: Rewards | None


_CONFIG = '\n    "config": '
_TASK = '{\n        "task": '
_NAME = ',\n        "trial_name": '
_AGENT_INFO = ',\n    "agent_info": {'

_parse = json.JSONDecoder().raw_decode


class TrialReader:
    """Reads the results of a job's trials, and remembers the configurations that it has seen."""

    def __init__(self, kinds: TrialKinds) -> None:
        self._kinds = kinds
        self._texts = KindsOfTexts(
            lambda others: agent_text(json.loads("{" + others).get("agent")),
            lambda task, agent: kinds.found(json.loads(task), agent),
        )

    def read(self, folder: str, text: str) -> TrialFile:
        """The trial that a result.json describes.

        Args:
            folder: name of the trial's folder.
            text: the text of its result.json.

        Raises:
            FolderError: it is not JSON, or a field that is read is not what Harbor's models take.
        """
        try:
            return self._read_known(folder, text) or self._read_whole(folder, text)
        except RecursionError:
            raise FolderError(result_file(folder), "nested too deeply") from None

    def _read_known(self, folder: str, text: str) -> TrialFile | None:
        """Put the trial's name in the place of the configuration, and parse what is left."""
        start = text.find(_CONFIG) + len(_CONFIG)
        name = text.find(_NAME, start)
        rest = text.find("\n", name + len(_NAME))
        end = text.find(_AGENT_INFO, rest)
        if end < 0 or name < 0 or not text.startswith(_TASK, start) or has_surrogates(text):
            return None
        quoted = text[name + len(_NAME) : rest - 1]
        try:
            document, stop = _parse(text[:start] + quoted + text[end:])
        except (ValueError, RecursionError):
            return None
        in_place = stop == start + len(quoted) + len(text) - end and type(document) is dict
        if not in_place or document.get("config") != quoted[1:-1] or "\\" in quoted or text[rest - 1] != ",":
            return None
        task, others = text[start + len(_TASK) : name], text[rest:end]
        try:
            kind = self._texts.find(task, others)
        except (ValueError, TypeError, AttributeError, RecursionError):
            return None
        return _trial(folder, document, kind)

    def _read_whole(self, folder: str, text: str) -> TrialFile:
        document = parse_object(result_file(folder), text)
        config = document.get("config")
        if not isinstance(config, dict):
            raise wrong(folder, "config", "an object", config)
        task, agent = config.get("task"), config.get("agent")
        if not isinstance(task, dict):
            raise wrong(folder, "config.task", "an object", task)
        if not isinstance(agent, dict):
            raise wrong(folder, "config.agent", "an object", agent)
        return _trial(folder, document, self._kind(folder, task, agent_text(agent)))

    def _kind(self, folder: str, task: dict[str, Any], agent: str) -> int:
        try:
            return self._kinds.found(task, agent)
        except TypeError:
            raise FolderError(result_file(folder), "config.task must be named by strings") from None


def _trial(folder: str, document: dict[str, Any], kind: int) -> TrialFile:
    """The trial in a parsed result.json."""
    name, task, source = document.get("trial_name"), document.get("task_name"), document.get("source")
    if type(name) is not str:
        raise wrong(folder, "trial_name", "a string", name)
    if type(task) is not str:
        raise wrong(folder, "task_name", "a string", task)
    if source is not None:
        source = read_name(folder, "source", source)
    check_required(folder, document)
    info = document.get("agent_info")
    if type(info) is not dict:
        raise wrong(folder, "agent_info", "an object", info)
    agent = read_name(folder, "agent_info.name", info.get("name"))
    if type(info.get("version")) is not str:
        raise wrong(folder, "agent_info.version", "a string", info.get("version"))
    model = info.get("model_info")
    if model is not None:
        if type(model) is not dict:
            raise wrong(folder, "agent_info.model_info", "an object or null", model)
        model = read_name(folder, "agent_info.model_info.name", model.get("name"))
    _, rewards, lost = read_verifier(folder, "verifier_result", document)
    steps = document.get("step_results")
    usage, step_files = _agent(folder, document, steps)
    trial = JobTrial(agent, model, source, sys.intern(task), rewards, name, read_exception(folder, "", document), usage)
    started = read_time(folder, "started_at", document.get("started_at"))
    finished = read_time(folder, "finished_at", document.get("finished_at"))
    return TrialFile(folder, trial, kind, started, finished, step_files, lost)


def _agent(
    folder: str, document: dict[str, Any], steps: object
) -> tuple[tuple[Usage, ...], tuple[StepFile, ...] | None]:
    """What the agent used, by itself or else step by step, and the steps."""
    own = read_usage(folder, "agent_result", document.get("agent_result"))
    if steps is None:
        return ((own,) if own is not None else ()), None
    if type(steps) is not list:
        raise wrong(folder, "step_results", "an array or null", steps)
    used: list[Usage] = []
    files: list[StepFile] = []
    for number, step in enumerate(steps):
        place = f"step_results.{number}"
        if type(step) is not dict:
            raise wrong(folder, place, "an object", step)
        usage = read_usage(folder, f"{place}.agent_result", step.get("agent_result"))
        if usage is not None:
            used.append(usage)
        name = read_name(folder, f"{place}.step_name", step.get("step_name"))
        verified, rewards, _ = read_verifier(folder, f"{place}.verifier_result", step)
        read_exception(folder, f"{place}.", step)
        files.append(StepFile(name, verified, rewards))
    return ((own,) if own is not None else tuple(used)), tuple(files)
