"""The tables of task.toml as Harbor's models take them: keys, types, defaults, and what has to fit together.

Types are read as `task_table` says; defaults are those of the dataclasses in `task_config`.
"""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Literal

from parity.driver.task_config import (
    AgentConfig,
    Artifact,
    EnvironmentConfig,
    Healthcheck,
    NetworkMode,
    TaskConfig,
    TaskStep,
    VerifierConfig,
)
from parity.driver.task_foreign import MCP_SERVER, TPU
from parity.driver.task_table import (
    Member,
    Place,
    Reader,
    Shape,
    TomlTable,
    anything,
    array,
    boolean,
    choice,
    integer,
    number,
    table,
    text,
    user,
)
from parity.scorer.values import Number

_PACKAGE = re.compile(r"[a-zA-Z0-9][a-zA-Z0-9._-]*/[a-zA-Z0-9][a-zA-Z0-9._-]*\n?")
_HOST_LABEL = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\n?")
_SIZES = {"G": 1024.0, "M": 1.0, "K": 1 / 1024}


def _host(place: Place, value: Any) -> str:
    name = text(place, value).strip().lower().rstrip(".")
    if not all(map(_HOST_LABEL.fullmatch, name.split("."))):
        raise place.invalid(f"is {value!r}; write the name of a host")
    return name


def _check_hosts(place: Place, values: Mapping[str, Any]) -> None:
    """Hosts are allowed one by one under the mode `allowlist`, and under no other."""
    mode, hosts = values.get("network_mode"), values.get("allowed_hosts")
    if mode == "allowlist" and not hosts:
        raise place.at("network_mode").invalid("is allowlist, without allowed_hosts; add them")
    if mode != "allowlist" and hosts:
        raise place.at("allowed_hosts").invalid("goes with network_mode = 'allowlist' only; take it out")


def _check_hosts_of_phase(place: Place, values: Mapping[str, Any]) -> None:
    if "allowed_hosts" in values and "network_mode" not in values:
        raise place.at("allowed_hosts").invalid("goes with network_mode = 'allowlist' only; take it out")
    _check_hosts(place, values)


_NETWORK_MODE: Member = Member(choice("public", "no-network", "allowlist"), "network_mode")
_VARIABLES = Member(table(text), "env")


_HEALTHCHECK = Shape(
    Healthcheck,
    {
        "command": Member(text, "command", required=True),
        "interval_sec": Member(number, "interval"),
        "timeout_sec": Member(number, "timeout"),
        "start_period_sec": Member(number, "start_period"),
        "start_interval_sec": Member(number, "start_interval"),
        "retries": Member(integer, "retries"),
    },
)


_SYSTEM: Reader[Literal["linux", "windows"]] = choice("linux", "windows")


def _system(place: Place, value: Any) -> Literal["linux", "windows"]:
    return _SYSTEM(place, text(place, value).lower())


def _sizes_in_megabytes(place: Place, given: TomlTable) -> TomlTable:
    """`memory = "2G"` in place of `memory_mb = 2048`, and so for `storage`; what is no text there never counted."""
    current = {key: value for key, value in given.items() if key not in ("memory", "storage")}
    for what in ("memory", "storage"):
        size, key = given.get(what), f"{what}_mb"
        if not isinstance(size, str):
            if what in given:
                place.ignored(what, size, [key])
            continue
        megabytes = _megabytes(place.at(what), size)
        if current.setdefault(key, megabytes) != megabytes:
            raise place.at(what).invalid(f"is {size!r} but {key} is something else; keep one of them")
    return current


def _megabytes(place: Place, size: str) -> int:
    spelled = size.strip().upper()
    try:
        # Rule: run-trial/size-with-unit
        return int(float(spelled[:-1]) * _SIZES[spelled[-1:]])
    except (KeyError, ValueError):
        raise place.invalid(f"is {size!r}; write it as {place.name.rpartition('.')[2]}_mb = 2048") from None
    except OverflowError:
        raise place.fatal(f"is {size!r}, which ends a job of Harbor's; write a number") from None


def _environment(
    network_mode: NetworkMode | None = None, allow_internet: bool | None = None, hosts: object = None, **given: Any
) -> EnvironmentConfig:
    """`allow_internet` is deprecated, and counts where nothing else is said of the network."""
    if network_mode is None and hosts is None and allow_internet is not None:
        network_mode = "public" if allow_internet else "no-network"
    return EnvironmentConfig(
        network_mode=network_mode or "public", network_is_explicit=network_mode is not None, **given
    )


def _check_network(place: Place, values: Mapping[str, Any]) -> None:
    _check_hosts(place, values)
    mode, allowed = values.get("network_mode"), values.get("allow_internet")
    if mode is not None and allowed is not None and allowed != (mode != "no-network"):
        place.ignored("allow_internet", allowed, ["network_mode"])


_ENVIRONMENT = Shape(
    _environment,
    {
        "network_mode": _NETWORK_MODE,
        "allowed_hosts": Member(array(_host), "hosts"),
        "build_timeout_sec": Member(number, "build_timeout"),
        "docker_image": Member(text, "image"),
        "os": Member(_system, "os"),
        "cpus": Member(integer, "cpus"),
        "memory_mb": Member(integer, "memory_mb"),
        "storage_mb": Member(integer, "storage_mb"),
        "gpus": Member(integer, "gpus"),
        "gpu_types": Member(array(text)),
        "tpu": Member(TPU, "tpu"),
        "mcp_servers": Member(array(MCP_SERVER), "mcp_servers"),
        "env": _VARIABLES,
        "skills_dir": Member(text, "skills"),
        "healthcheck": Member(_HEALTHCHECK, "healthcheck"),
        "workdir": Member(text, "workdir"),
        "allow_internet": Member(boolean, "allow_internet"),
    },
    prepare=_sizes_in_megabytes,
    check=_check_network,
)

_PHASE = {
    "network_mode": _NETWORK_MODE,
    "allowed_hosts": Member(array(_host)),
    "timeout_sec": Member(number, "timeout"),
    "user": Member(user, "user"),
}

_AGENT = Shape(AgentConfig, _PHASE, check=_check_hosts_of_phase)


def _check_verifier(place: Place, values: Mapping[str, Any]) -> None:
    _check_hosts_of_phase(place, values)
    if values.get("environment_mode") == "shared" and "environment" in values:
        raise place.at("environment_mode").invalid("is shared, but there is an environment; take one of them out")


def _verifier(
    mode: Literal["shared", "separate"] | None = None, environment: EnvironmentConfig | None = None, **given: Any
) -> VerifierConfig:
    separate = mode == "separate" if mode else True if environment else None
    return VerifierConfig(separate=separate, environment=environment, **given)


_VERIFIER = Shape(
    _verifier,
    {
        **_PHASE,
        "env": _VARIABLES,
        "environment_mode": Member(choice("shared", "separate"), "mode"),
        "environment": Member(_ENVIRONMENT, "environment"),
    },
    check=_check_verifier,
)

_ARTIFACT_TABLE = Shape(
    Artifact,
    {
        "source": Member(text, "source", required=True),
        "destination": Member(text, "destination"),
        "exclude": Member(array(text), "exclude"),
    },
)


def _artifact(place: Place, value: Any) -> Artifact:
    """A path, or a table that has one."""
    if not isinstance(value, str | dict):
        raise place.invalid("is neither a path nor a table; write one")
    return Artifact(value) if isinstance(value, str) else _ARTIFACT_TABLE(place, value)


def _threshold(place: Place, value: Any) -> Number | Mapping[str, Number]:
    """A number, or one for each of some keys."""
    return table(number)(place, value) if isinstance(value, dict) else number(place, value)


_STEP = Shape(
    TaskStep,
    {
        "name": Member(text, "name", required=True),
        "agent": Member(_AGENT, "agent"),
        "verifier": Member(_VERIFIER, "verifier"),
        "min_reward": Member(_threshold, "min_reward"),
        "healthcheck": Member(_HEALTHCHECK, "healthcheck"),
        "artifacts": Member(array(_artifact), "artifacts"),
    },
)


def _package_name(place: Place, value: Any) -> str:
    name = text(place, value)
    if not _PACKAGE.fullmatch(name) or ".." in name:
        raise place.invalid(f"is {name!r}; write it as org/name, of letters, digits, dots, '-' and '_'")
    return name


_AUTHOR: Shape[TomlTable] = Shape(dict, {"name": Member(text, required=True), "email": Member(text)})
_PACKAGE_TABLE = Shape(
    lambda name: name,
    {
        "name": Member(_package_name, "name", required=True),
        "description": Member(text),
        "authors": Member(array(_AUTHOR)),
        "keywords": Member(array(text)),
    },
)
_SOLUTION = Shape(lambda env=None: env or {}, {"env": _VARIABLES})


def _schema_version(place: Place, given: TomlTable) -> TomlTable:
    """`version` is the old name of `schema_version`, and counts where that is missing."""
    if "version" not in given:
        return given
    return {"schema_version": given["version"], **{key: value for key, value in given.items() if key != "version"}}


def _task(**given: Any) -> TaskConfig:
    """A phase that asks for the network asks for it in the task's name."""
    task = TaskConfig(**given)
    modes = [task.agent.network_mode, task.verifier.network_mode]
    for step in task.steps:
        modes += [step.agent.network_mode, step.verifier.network_mode]
    if "public" in modes:
        return replace(task, environment=replace(task.environment, network_is_explicit=True))
    return task


TASK = Shape(
    _task,
    {
        "schema_version": Member(text),
        "task": Member(_PACKAGE_TABLE, "package"),
        "metadata": Member(table(anything)),
        "verifier": Member(_VERIFIER, "verifier"),
        "agent": Member(_AGENT, "agent"),
        "environment": Member(_ENVIRONMENT, "environment"),
        "solution": Member(_SOLUTION, "solution_env"),
        "source": Member(text),
        "multi_step_reward_strategy": Member(choice("mean", "final"), "strategy"),
        "steps": Member(array(_STEP), "steps"),
        "artifacts": Member(array(_artifact), "artifacts"),
    },
    prepare=_schema_version,
)
"""The whole of task.toml, as a `TaskConfig`."""
