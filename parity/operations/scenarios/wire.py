"""Scenarios on the wire: tasks as text, settings, and scripts, in plain JSON.

Decoded scenarios are checked: their tasks can be run, and their files stay inside their folders.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict
from functools import lru_cache
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import Any

from parity.driver.documents.resume import TRIAL_NAME
from parity.driver.settings import AgentSettings, Multipliers, VerifierTimeouts
from parity.driver.task import read_task
from parity.driver.task_table import TaskError
from parity.operations.files.folders import process_folder
from parity.operations.scenarios.recording import Effect, Script
from parity.operations.scenarios.scenario import JobScenario, ScenarioSettings, TaskFiles
from parity.operations.wire import Json, WireError, decode, encode


def encode_scenario(case: Any) -> Json:
    """Encode a scenario of any kind. Optional members are omitted at their default."""
    members = asdict(case)
    settings = members.get("settings")
    if settings is not None:
        settings["agent"] = _without_default(settings["agent"], AgentSettings())
        members["settings"] = _without_default(settings, ScenarioSettings())
    if isinstance(case, JobScenario):
        members["further_agents"] = [_without_default(agent, AgentSettings()) for agent in members["further_agents"]]
        members = _without_default(members, JobScenario(()))
    return encode(members)


def _without_default(members: dict[str, Any], default: Any) -> dict[str, Any]:
    usual = asdict(default)
    return {name: value for name, value in members.items() if name not in _SELDOM or value not in (usual[name], [], {})}


AGENT_TIMES = {"override_timeout", "max_timeout", "override_setup_timeout"}
"""Optional members of an agent's settings."""
_SELDOM = {
    *("model", "verifier_timeouts", "mounted", "further_agents", "metrics", "n_tasks", "earlier"),
    *AGENT_TIMES,
}
"""Optional members, which were added later; older cases without them keep their meaning."""


def encode_job(case: JobScenario) -> Json:
    """Encode a job, with sorted sets of names."""
    return encode_scenario(case.without_sets())


def as_task(value: Any) -> TaskFiles:
    """Decode a task, and check that it can be run.

    Raises:
        WireError: the value is not one.
    """
    task = as_files(value)
    _check_task(task.toml, tuple(task.files.items()))
    return task


def as_files(value: Any) -> TaskFiles:
    """Decode a folder, a task or not, and check that it can be written.

    Raises:
        WireError: the value is not one.
    """
    match value:
        case {"toml": str(toml), "files": dict(files), **rest} if not rest:
            _check_names(files, _is_task_file)
            _check_text(toml)
            return TaskFiles(toml, _texts(files))
    raise WireError("a task takes toml and files")


@lru_cache(1000)
def _check_task(toml: str, files: tuple[tuple[str, str], ...]) -> None:
    with TemporaryDirectory(dir=process_folder()) as folder:
        try:
            read_task(TaskFiles(toml, dict(files)).write(Path(folder) / "task"))
        except (TaskError, OSError) as error:
            raise WireError(f"the task cannot be run: {str(error).replace(folder, '')}") from None


def as_settings(value: Any) -> ScenarioSettings:
    """Decode the settings for trials.

    Raises:
        WireError: the value is not such settings.
    """
    match value:
        case {
            "agent": agent,
            "multipliers": dict() as factors,
            "verifier_env": verifier_env,
            "verification": bool(verification),
            "host": host,
            **rest,
        } if not rest.keys() - {"verifier_timeouts", "mounted"}:
            return ScenarioSettings(
                as_agent(agent),
                _multipliers(factors),
                _variables(verifier_env),
                verification,
                _variables(host),
                _verifier_timeouts(rest.get("verifier_timeouts", {"override": None, "max": None})),
                _truth(rest.get("mounted", False)),
            )
    raise WireError(
        "settings take agent, multipliers, verifier_env, verification, host, and optionally verifier_timeouts, mounted"
    )


def as_agent(value: Any) -> AgentSettings:
    """Decode the settings of an agent.

    Raises:
        WireError: the value is not one.
    """
    match value:
        case {
            "name": "oracle" | "nop" | "command" as name,
            "command": str() | None as command,
            "env": env,
            **rest,
        } if (name == "command") == (command is not None) and not rest.keys() - {"model", *AGENT_TIMES}:
            model = rest.pop("model", None)
            if model is not None and not isinstance(model, str):
                raise WireError(f"model takes a text or null, not {model!r:.60}")
            _check_text(f"{command or ''}{model or ''}")
            times: dict[str, float | None] = {str(name): _time(time) for name, time in rest.items()}
            return AgentSettings(name, command, _variables(env), model, **times)
    raise WireError(
        "an agent takes name (oracle, nop, command), command (for that one alone), env, and optionally model and times"
    )


def _verifier_timeouts(value: Any) -> VerifierTimeouts:
    match value:
        case {"override": override, "max": most, **rest} if not rest:
            return VerifierTimeouts(_time(override), _time(most))
    raise WireError("verifier_timeouts take override and max")


def _time(value: Any) -> float | None:
    time = decode(value)
    if time is None or (type(time) is float and time == time):
        return time
    raise WireError(f"a timeout takes a float, or null, not {value!r:.60}")


def _truth(value: Any) -> bool:
    if isinstance(value, bool):
        return value
    raise WireError(f"mounted takes true or false, not {value!r:.60}")


def _multipliers(factors: dict[str, Any]) -> Multipliers:
    decoded = {name: decode(factor) for name, factor in factors.items()}
    known = asdict(Multipliers())
    optional = {name: factor for name, factor in decoded.items() if factor is not None or name == "all"}
    if decoded.keys() != known.keys() or not all(type(factor) is float for factor in optional.values()):
        raise WireError(f"multipliers take a float, or null, for each of {', '.join(known)}; `all` is never null")
    if any(factor != factor for factor in optional.values()):
        raise WireError("no multiplier is nan")
    return Multipliers(**decoded)


def as_script(value: Any) -> Script:
    """Decode the script of one run.

    Raises:
        WireError: the value is not a script.
    """
    match value:
        case {"effects": dict(effects), "agent": [*agent], "tests": [*tests], **rest} if not rest:
            if not all(number.isdecimal() and number == str(int(number)) for number in effects):
                raise WireError("the keys of effects are numbers of calls, from 0")
            numbered = {int(number): _effect(effect) for number, effect in effects.items()}
            return Script(numbered, tuple(map(_left_behind, agent)), tuple(map(_left_behind, tests)))
    raise WireError("a script takes effects, agent and tests")


def _effect(value: Any) -> Effect:
    match value:
        case {"kind": "raise", "text": str(text), "number": {"int": "0"}, **rest} if not rest and text.isidentifier():
            return Effect("raise", text)
        case {"kind": "print", "text": str(text), "number": {"int": "0"}, **rest} if not rest:
            _check_text(text)
            return Effect("print", text)
        case {"kind": "exit" | "wait" as kind, "text": "", "number": number, **rest} if not rest:
            count = decode(number)
            if type(count) is int and (count >= 0 or kind == "exit"):
                return Effect(kind, "", count)
        case {"kind": "cancel", "text": "", "number": {"int": "0"}, **rest} if not rest:
            return Effect("cancel")
    raise WireError("an effect takes kind, text (an error's class, or output) and number (an exit code, or seconds)")


def _left_behind(value: Any) -> Mapping[str, str]:
    if not isinstance(value, dict):
        raise WireError("files that are left take an object of contents by absolute path")
    _check_names(value, lambda name: name.startswith("/") and name == str(PurePosixPath(name)) and name[:2] != "//")
    return _texts(value)


def as_earlier(value: Any) -> Mapping[str, str]:
    """Decode the files of earlier runs in the folder of a job.

    Raises:
        WireError: the files cannot be written, or a folder does not have the name of a trial.
    """
    if not isinstance(value, dict):
        raise WireError("earlier takes an object of contents by path in the job's folder")
    _check_names(value, _is_plain)
    for name in value:
        folder, slash, _ = name.partition("/")
        if slash and not TRIAL_NAME.fullmatch(folder):
            raise WireError(f"{folder!r} is not the name of a trial's folder, such as task__1234567")
    return _texts(value)


def _is_plain(name: str) -> bool:
    plain = name.removesuffix("/")
    return plain == str(PurePosixPath(plain)) and not plain.startswith("/")


def _is_task_file(name: str) -> bool:
    return _is_plain(name) and name.removesuffix("/") != "task.toml"


def _check_names(files: Iterable[Any], fits: Callable[[str], bool]) -> None:
    """Check that names are plain paths, and that no file is the folder of another.

    Raises:
        WireError: a name is not allowed.
    """
    names = set(files)
    for name in names:
        _check_text(name)
        path = PurePosixPath(name)
        if not fits(name) or "\0" in name or path.parts in ((), ("/",)) or {".", ".."} & set(name.split("/")):
            raise WireError(f"{name!r} is not a plain path of a file")
        if any(str(parent) in names for parent in path.parents) or {name, f"{name}/"} <= names:
            raise WireError(f"{name!r} lies in a file, or stands for a file and a folder")


def _variables(value: Any) -> Mapping[str, str]:
    if isinstance(value, dict) and all(map(_is_variable, value.items())):
        return _texts(value)
    raise WireError("variables take an object of texts by name, without '=' in a name")


def _is_variable(variable: tuple[str, Any]) -> bool:
    name, text = variable
    return bool(name) and "=" not in name and "\0" not in f"{name}{text}"


def _texts(value: Mapping[str, Any]) -> Mapping[str, str]:
    for key, text in value.items():
        if not isinstance(text, str):
            raise WireError(f"{key!r} takes a text")
        _check_text(key + text)
    return dict(value)


def _check_text(text: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise WireError(f"{text!r:.60} holds half of a surrogate pair, which a file cannot hold") from None
