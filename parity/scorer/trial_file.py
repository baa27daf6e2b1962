"""A trial's result.json to what the job's stats need of it, as strictly as Harbor's models read it.

The configuration inside is the same text in all attempts at a task, so it is parsed once and the rest of each file
without it. JSON has no line breaks inside strings, so the lines that Harbor writes show where it begins and ends; a
file in any other layout is parsed whole.
"""

import json
import math
import sys
from typing import Any, NamedTuple

from parity.scorer.disk import FolderError, parse_object, seconds, type_name
from parity.scorer.errors import ValidationError
from parity.scorer.job import JobTrial, Usage
from parity.scorer.number_text import lax_number
from parity.scorer.reward_file import validate_rewards
from parity.scorer.trial_kinds import TrialKinds, agent_text
from parity.scorer.values import Number, Rewards


class TrialFile(NamedTuple):
    """A trial that has ended, as its folder tells."""

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
_KEPT, _KEPT_AGENTS = 20_000, 100

_parse = json.JSONDecoder().raw_decode


class TrialReader:
    """Reads the results of a job's trials, and remembers the configurations that it has seen."""

    def __init__(self, kinds: TrialKinds) -> None:
        self._kinds = kinds
        self._known: dict[tuple[str, str], int] = {}
        self._agents: dict[str, str] = {}

    def read(self, folder: str, text: str) -> TrialFile:
        """The trial that a result.json tells of.

        Args:
            folder: name of the trial's folder.
            text: the text of its result.json.

        Raises:
            FolderError: it is not JSON, or Harbor's models would refuse it.
        """
        return self._read_known(folder, text) or self._read_whole(folder, text)

    def _read_known(self, folder: str, text: str) -> TrialFile | None:
        """Put the trial's name in the place of the configuration, and parse what is left."""
        start = text.find(_CONFIG) + len(_CONFIG)
        name = text.find(_NAME, start)
        rest = text.find("\n", name + len(_NAME))
        end = text.find(_AGENT_INFO, rest)
        if end < 0 or name < 0 or not text.startswith(_TASK, start):
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
            kind = self._kind_of_texts(folder, task, others)
        except (ValueError, RecursionError):
            return None
        return _trial(folder, document, kind)

    def _kind_of_texts(self, folder: str, task: str, others: str) -> int:
        """The kind of a trial from the text of its task and that of all else in the configuration."""
        agent = self._agents.get(others)
        if agent is None:
            if len(self._agents) >= _KEPT_AGENTS:
                self._agents.clear()
            agent = self._agents[others] = agent_text(json.loads("{" + others).get("agent"))
        kind = self._known.get((task, agent))
        if kind is None:
            if len(self._known) >= _KEPT:
                self._known.clear()
            kind = self._known[task, agent] = self._kind(folder, json.loads(task), agent)
        return kind

    def _read_whole(self, folder: str, text: str) -> TrialFile:
        document = parse_object(_file(folder), text)
        config = document.get("config")
        if not isinstance(config, dict):
            raise _wrong(folder, "config", "an object", config)
        return _trial(folder, document, self._kind(folder, config.get("task"), agent_text(config.get("agent"))))

    def _kind(self, folder: str, task: object, agent: str) -> int:
        if not isinstance(task, dict):
            raise _wrong(folder, "config.task", "an object", task)
        try:
            return self._kinds.found(task, agent)
        except TypeError:
            raise FolderError(_file(folder), "config.task must be named by strings") from None


def _trial(folder: str, document: dict[str, Any], kind: int) -> TrialFile:
    """The trial in a parsed result.json."""
    name, task, source = document.get("trial_name"), document.get("task_name"), document.get("source")
    if type(name) is not str:
        raise _wrong(folder, "trial_name", "a string", name)
    if type(task) is not str:
        raise _wrong(folder, "task_name", "a string", task)
    if source is not None:
        source = _interned(folder, "source", source)
    _required(folder, document)
    info = document.get("agent_info")
    if type(info) is not dict:
        raise _wrong(folder, "agent_info", "an object", info)
    agent = _interned(folder, "agent_info.name", info.get("name"))
    model = info.get("model_info")
    if model is not None:
        if type(model) is not dict:
            raise _wrong(folder, "agent_info.model_info", "an object or null", model)
        model = _interned(folder, "agent_info.model_info.name", model.get("name"))
    _, rewards, lost = _verifier(folder, "verifier_result", document)
    steps = document.get("step_results")
    usage, step_files = _agent(folder, document, steps)
    trial = JobTrial(agent, model, source, sys.intern(task), rewards, name, _exception(folder, "", document), usage)
    started = _time(folder, "started_at", document.get("started_at"))
    finished = _time(folder, "finished_at", document.get("finished_at"))
    return TrialFile(folder, trial, kind, started, finished, step_files, lost)


def _required(folder: str, document: dict[str, Any]) -> None:
    """What Harbor's model needs although the stats do not."""
    if type(document.get("trial_uri")) is not str:
        raise _wrong(folder, "trial_uri", "a string", document.get("trial_uri"))
    if type(document.get("task_checksum")) is not str:
        raise _wrong(folder, "task_checksum", "a string", document.get("task_checksum"))
    if type(document.get("task_id")) is not dict:
        raise _wrong(folder, "task_id", "an object", document.get("task_id"))


def _interned(folder: str, field: str, value: object) -> str:
    if type(value) is not str:
        raise _wrong(folder, field, "a string", value)
    return sys.intern(value)


def _verifier(folder: str, field: str, record: dict[str, Any]) -> tuple[bool, Rewards | None, bool]:
    """Whether there is a verifier result, its rewards, and whether numbers were lost in writing them."""
    verifier = record.get("verifier_result")
    if verifier is None:
        return False, None, False
    if type(verifier) is not dict:
        raise _wrong(folder, field, "an object or null", verifier)
    rewards = verifier.get("rewards")
    if rewards is None:
        return True, None, False
    if type(rewards) is not dict:
        raise _wrong(folder, f"{field}.rewards", "an object or null", rewards)
    for key, value in rewards.items():
        if (type(value) is not float and type(value) is not int) or "\ufffd" in key:
            return True, *_unusual(folder, field, rewards)
    return True, rewards, False


def _unusual(folder: str, field: str, rewards: dict[str, Any]) -> tuple[Rewards, bool]:
    """Rewards that are no plain numbers. What was lost, half surrogate pairs in keys included, is nan for now."""
    lost = any(value is None or "\ufffd" * 3 in key for key, value in rewards.items())
    filled = {key: math.nan if value is None else value for key, value in rewards.items()}
    try:
        return validate_rewards(filled) or {}, lost
    except ValidationError as error:
        raise FolderError(_file(folder), f"{field}.rewards: {error}") from None


def _exception(folder: str, prefix: str, record: dict[str, Any]) -> str | None:
    exception = record.get("exception_info")
    if exception is None:
        return None
    if type(exception) is not dict:
        raise _wrong(folder, f"{prefix}exception_info", "an object or null", exception)
    for field in ("exception_message", "exception_traceback", "occurred_at"):
        if type(exception.get(field)) is not str:
            raise _wrong(folder, f"{prefix}exception_info.{field}", "a string", exception.get(field))
    return _interned(folder, f"{prefix}exception_info.exception_type", exception.get("exception_type"))


def _agent(
    folder: str, document: dict[str, Any], steps: object
) -> tuple[tuple[Usage, ...], tuple[StepFile, ...] | None]:
    """What the agent used, by itself or else step by step, and the steps."""
    own = _usage(folder, "agent_result", document.get("agent_result"))
    if steps is None:
        return ((own,) if own is not None else ()), None
    if type(steps) is not list:
        raise _wrong(folder, "step_results", "an array or null", steps)
    used: list[Usage] = []
    files: list[StepFile] = []
    for number, step in enumerate(steps):
        place = f"step_results.{number}"
        if type(step) is not dict:
            raise _wrong(folder, place, "an object", step)
        usage = _usage(folder, f"{place}.agent_result", step.get("agent_result"))
        if usage is not None:
            used.append(usage)
        name = _interned(folder, f"{place}.step_name", step.get("step_name"))
        verified, rewards, _ = _verifier(folder, f"{place}.verifier_result", step)
        _exception(folder, f"{place}.", step)
        files.append(StepFile(name, verified, rewards))
    return ((own,) if own is not None else tuple(used)), tuple(files)


def _usage(folder: str, field: str, context: object) -> Usage | None:
    if context is None:
        return None
    if type(context) is not dict:
        raise _wrong(folder, field, "an object or null", context)
    reads = context.get("n_input_tokens")
    cached = context.get("n_cache_tokens")
    written = context.get("n_output_tokens")
    cost = context.get("cost_usd")
    if reads is not None and type(reads) is not int:
        reads = _lax_int(folder, f"{field}.n_input_tokens", reads)
    if cached is not None and type(cached) is not int:
        cached = _lax_int(folder, f"{field}.n_cache_tokens", cached)
    if written is not None and type(written) is not int:
        written = _lax_int(folder, f"{field}.n_output_tokens", written)
    if cost is not None and type(cost) is not float:
        cost = _lax_float(folder, f"{field}.cost_usd", cost)
    return Usage(reads, cached, written, cost)


def _lax_int(folder: str, field: str, value: object) -> int:
    """As pydantic does: a boolean, a whole float and a string of digits are ints too."""
    number = lax_number(value) if isinstance(value, str) else value
    if isinstance(number, float) and number.is_integer():
        return int(number)
    if not isinstance(number, int):
        raise _wrong(folder, field, "an integer or null", value)
    return int(number)


def _lax_float(folder: str, field: str, value: object) -> float:
    number = lax_number(value) if isinstance(value, str) else value
    if not isinstance(number, int | float):
        raise _wrong(folder, field, "a number or null", value)
    return _float(folder, field, number)


def _float(folder: str, field: str, number: Number) -> float:
    try:
        return float(number)
    except OverflowError:
        raise FolderError(_file(folder), f"{field} is beyond the range of a double") from None


def _time(folder: str, field: str, value: object) -> float:
    if value is None:
        return 0.0
    if type(value) is not str:
        raise _wrong(folder, field, "a time or null", value)
    try:
        return seconds(value)
    except (ValueError, OverflowError, OSError):
        raise FolderError(_file(folder), f"{field} must be a time, not {value[:40]!r}") from None


def _wrong(folder: str, field: str, wanted: str, value: object) -> FolderError:
    return FolderError(_file(folder), f"{field} must be {wanted}, not {type_name(value)}")


def _file(folder: str) -> str:
    return f"{folder}/result.json"
