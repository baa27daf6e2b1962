"""The wire form of scenarios, checks of decoded scenarios, and descriptions of scenarios for readers.

The checks are about form: all files are inside their directories, and all texts can be written into files. Whether a
task can be run is an answer.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import astuple
from pathlib import PurePosixPath
from typing import Any

from parity.formats import METRIC_NAMES
from parity.operations.codec import Codec, Form
from parity.operations.scenarios.scenario import JobScenario, ScenarioSettings, TaskFiles, TrialScenario
from parity.operations.scenarios.scripted_sandbox import Effect, Script
from parity.operations.scenarios.settings import AgentSettings, Multipliers, RetrySettings, VerifierTimeouts
from parity.operations.wire import WireError

AGENT_TIMES = frozenset({"override_timeout", "max_timeout", "override_setup_timeout"})
"""Keys of an agent's settings that are optional on the wire."""

_TRIAL_NAME = re.compile(r"(?s:.*)__[0-9A-Za-z]{7}")


def _check_files(task: TaskFiles) -> None:
    _check_names(task.files, lambda name: _is_plain(name) and name.removesuffix("/") != "task.toml")
    _check_texts(task.toml, *task.files.values())


def _check_settings(settings: ScenarioSettings) -> None:
    _check_variables(settings.verifier_env)
    _check_variables(settings.host)


def _check_agent(agent: AgentSettings) -> None:
    if agent.name not in ("oracle", "nop", "command") or (agent.name == "command") != (agent.command is not None):
        raise WireError("must have the name oracle or nop and no command, or the name command and a command")
    _check_texts(agent.command or "", agent.model or "")
    _check_variables(agent.env)
    _check_no_nan(*(getattr(agent, name) for name in AGENT_TIMES))


def _check_no_nan(*numbers: float | None) -> None:
    if any(number != number for number in numbers):
        raise WireError("must not be nan")


def _check_retry(retry: RetrySettings) -> None:
    if retry.max_retries < 0:
        raise WireError("max_retries must be a non-negative integer")
    if not all(map(str.isidentifier, {*(retry.include or ()), *(retry.exclude or ())})):
        raise WireError("include and exclude must be lists of class names, or null")
    if not all(0.0 <= wait <= 1e6 for wait in (retry.wait_multiplier, retry.min_wait_sec, retry.max_wait_sec)):
        raise WireError("waits and their multiplier must be floats from 0 to a million")


def _check_effect(effect: Effect) -> None:
    _check_texts(effect.text)
    match effect:
        case Effect("print", _, 0) | Effect("exit", "") | Effect("cancel", "", 0):
            return
        case Effect("raise", name, 0) if name.isidentifier():
            return
        case Effect("wait", "", seconds) if seconds >= 0:
            return
    raise WireError("must have text (an error's class, or output) and number (a code, or seconds) as its kind requires")


def _check_script(script: Script) -> None:
    for files in (*script.agent, *script.tests):
        _check_names(files, lambda name: name.startswith("/") and name == str(PurePosixPath(name)) and name[:2] != "//")
        _check_texts(*files.values())


def _check_job(job: JobScenario) -> None:
    if job.concurrent < 1:
        raise WireError("concurrent must be a positive integer")
    if unknown := [name for name in job.metrics if name not in METRIC_NAMES]:
        raise WireError(f"metrics must be {', '.join(METRIC_NAMES)}, not {unknown[0]!r:.60}")
    _check_names(job.earlier, _is_plain)
    _check_texts(*job.earlier.values())
    for name in job.earlier:
        directory, slash, _ = name.partition("/")
        if slash and not _TRIAL_NAME.fullmatch(directory):
            raise WireError(f"{directory!r} is not the name of a trial's directory, such as task__1234567")


def _is_plain(name: str) -> bool:
    plain = name.removesuffix("/")
    return plain == str(PurePosixPath(plain)) and not plain.startswith("/")


def _check_names(files: Iterable[str], fits: Callable[[str], bool]) -> None:
    """Check that names are plain paths, and that no path is both a file and a directory.

    Raises:
        WireError: a name is not allowed.
    """
    names = set(files)
    _check_texts(*names)
    for name in names:
        path = PurePosixPath(name)
        if not fits(name) or "\0" in name or path.parts in ((), ("/",)) or {".", ".."} & set(name.split("/")):
            raise WireError(f"{name!r} is not a plain file path")
        if any(str(parent) in names for parent in path.parents) or {name, f"{name}/"} <= names:
            raise WireError(f"{name!r} is inside a file, or is both a file and a directory")


def _check_variables(variables: Mapping[str, str]) -> None:
    for name, text in variables.items():
        if not name or "=" in name or "\0" in f"{name}{text}":
            raise WireError(f"the variable {name!r} must have a name without '=', and no null character")
        _check_texts(name, text)


def _check_texts(*texts: str) -> None:
    for text in texts:
        try:
            text.encode()
        except UnicodeEncodeError:
            raise WireError(f"{text!r:.60} holds half of a surrogate pair, which a file cannot hold") from None


# Optional members did not exist in the first version. Older cases without these members keep their meaning.
_FORMS = {
    TaskFiles: Form(check=_check_files),
    AgentSettings: Form(frozenset({"model", *AGENT_TIMES}), check=_check_agent),
    Multipliers: Form(check=lambda factors: _check_no_nan(*astuple(factors))),
    VerifierTimeouts: Form(check=lambda timeouts: _check_no_nan(*astuple(timeouts))),
    ScenarioSettings: Form(frozenset({"verifier_timeouts", "mounted"}), check=_check_settings),
    RetrySettings: Form(check=_check_retry),
    Effect: Form(check=_check_effect),
    Script: Form(check=_check_script),
    JobScenario: Form(frozenset({"further_agents", "metrics", "n_tasks", "earlier"}), check=_check_job),
}
TRIAL_CODEC = Codec(TrialScenario, "a run_trial case", _FORMS)
JOB_CODEC = Codec(JobScenario, "a run_job case", _FORMS)


def describe_settings(settings: ScenarioSettings) -> list[str]:
    """Describe the settings that differ from their defaults."""
    parts = describe_agent(settings.agent)
    for name, values in (
        ("verifier's timeouts", _without_none(vars(settings.verifier_timeouts))),
        ("--ve", settings.verifier_env),
        ("host's variables", settings.host),
        ("multipliers", {name: factor for name, factor in vars(settings.multipliers).items() if factor is not None}),
    ):
        if values and values != {"all": 1.0}:
            parts.append(f"{name} {dict(values)!r}")
    if not settings.verification:
        parts.append("verification disabled")
    if settings.mounted:
        parts.append("sandboxes mounted")
    return parts


def describe_agent(agent: AgentSettings) -> list[str]:
    """Describe an agent's settings."""
    parts = [f"agent {agent.name}"]
    if agent.command is not None:
        parts.append(f"command {agent.command!r}")
    if agent.env:
        parts.append(f"agent's variables {dict(agent.env)!r}")
    rest = {name: value for name, value in vars(agent).items() if name == "model" or name in AGENT_TIMES}
    return [*parts, *(f"{name} {value!r}" for name, value in _without_none(rest).items())]


def _without_none(members: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in members.items() if value is not None}


def describe_script(script: Script) -> list[str]:
    """Describe the effects on calls in a run, and the files that the agent and the tests leave."""
    parts = [
        f"call {number}: {effect.kind} {effect.text or effect.number}"
        for number, effect in sorted(script.effects.items())
    ]
    for name, runs in (("agent", script.agent), ("tests", script.tests)):
        parts += [f"the {name} leaves {dict(files)!r}" for files in runs]
    return parts
