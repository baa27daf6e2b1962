"""task.toml to a `TaskConfig`. What Harbor's models refuse is invalid; what the driver cannot do is unsupported."""

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Any

import tomli

from parity.driver.sandbox import User
from parity.driver.task_config import (
    AgentConfig,
    Artifact,
    EnvironmentConfig,
    Healthcheck,
    Step,
    TaskConfig,
    VerifierConfig,
)
from parity.driver.task_table import InvalidTask, Table
from parity.scorer.values import Number

_PACKAGE = re.compile(r"[a-zA-Z0-9][a-zA-Z0-9._-]*/[a-zA-Z0-9][a-zA-Z0-9._-]*\n?")
_SIZES = {"G": 1024.0, "M": 1.0, "K": 1 / 1024}
_NETWORK_MODES = ("public", "no-network", "allowlist")


def read_task_file(folder: Path) -> TaskConfig:
    """The settings in a task's folder.

    Raises:
        InvalidTask: Harbor refuses them too.
        UnsupportedTask: they ask for something that the driver does not do.
    """
    path = folder / "task.toml"
    try:
        values = tomli.loads(path.read_text())
    except tomli.TOMLDecodeError as error:
        raise InvalidTask(folder, f"task.toml is not TOML: {error}; correct it") from None
    except (OSError, ValueError, RecursionError) as error:
        raise InvalidTask(folder, f"task.toml cannot be read: {error}; correct it") from None
    return _task(Table(folder, values))


def _task(top: Table) -> TaskConfig:
    environment = _environment(top.table("environment"))
    if any(table.values.get("network_mode") == "public" for table in _phases(top)):
        environment = replace(environment, network_is_explicit=True)
    _check_shape(top)
    return TaskConfig(
        _package(top),
        _agent(top.table("agent"), environment),
        _verifier(top.table("verifier"), environment),
        environment,
        top.table("solution").texts("env"),
        top.choice("multi_step_reward_strategy", ("mean", "final")),
        tuple(_step(table, environment) for table in top.tables("steps")),
        _artifacts(top),
    )


def _phases(top: Table) -> list[Table]:
    """The tables of all agents and verifiers."""
    return [table.table(role) for table in (top, *top.tables("steps")) for role in ("agent", "verifier")]


def _check_shape(top: Table) -> None:
    """Hold what nobody needs to the types that Harbor gives it."""
    for key in ("schema_version", "version", "source"):
        top.text(key)
    top.table("metadata")


def _package(top: Table) -> str | None:
    table = top.optional_table("task")
    if table is None:
        return None
    name = table.required_text("name")
    if not _PACKAGE.fullmatch(name) or ".." in name:
        raise table.invalid("name", f"is {name!r}; write it as org/name, of letters, digits, dots, '-' and '_'")
    table.text("description")
    for author in table.tables("authors"):
        author.required_text("name")
        author.text("email")
    if not all(isinstance(keyword, str) for keyword in table.list("keywords")):
        raise table.invalid("keywords", "holds something else than strings; write strings")
    return name


def _environment(table: Table) -> EnvironmentConfig:
    _refuse_what_is_not_done(table)
    network, explicit = _network(table)
    return EnvironmentConfig(
        _or(table.number("build_timeout_sec"), 600.0),
        table.text("docker_image"),
        network,
        explicit,
        table.integer("cpus"),
        _megabytes(table, "memory"),
        _megabytes(table, "storage"),
        table.texts("env"),
        _healthcheck(table.optional_table("healthcheck")),
        table.text("workdir"),
    )


def _refuse_what_is_not_done(table: Table) -> None:
    system = (table.text("os") or "linux").lower()
    if system not in ("linux", "windows"):
        raise table.invalid("os", f"is {system!r}; choose linux or windows")
    if system == "windows":
        raise table.unsupported("os", "is windows, which this driver does not run; run the task with harbor")
    gpus = table.integer("gpus")
    if gpus is not None and gpus > 0:
        raise table.unsupported("gpus", f"is {gpus}, and no sandbox of this driver has any; run the task with harbor")
    for key, what in (("tpu", "a TPU"), ("mcp_servers", "MCP servers"), ("skills_dir", "skills")):
        if table.values.get(key):
            raise table.unsupported(key, f"asks for {what}, which this driver does not offer; run the task with harbor")


def _network(table: Table) -> tuple[bool, bool]:
    """Whether the network may be used, and whether the table says so itself."""
    mode = _network_mode(table)
    if mode is not None:
        return mode == "public", True
    allowed = table.values.get("allow_internet")
    if not isinstance(allowed, bool | None):
        raise table.invalid("allow_internet", "is no boolean; write true or false")
    return allowed is not False, allowed is not None


def _network_mode(table: Table) -> str | None:
    mode = table.choice("network_mode", _NETWORK_MODES)
    if mode == "allowlist":
        raise table.unsupported("network_mode", "is allowlist, which this driver cannot enforce; choose no-network")
    if table.list("allowed_hosts"):
        raise table.invalid("allowed_hosts", "goes with network_mode = 'allowlist' only; take it out")
    return mode


def _megabytes(table: Table, what: str) -> int | None:
    """`memory_mb`, or the deprecated `memory = "2G"`."""
    size = table.integer(f"{what}_mb")
    legacy = table.values.get(what)
    if not isinstance(legacy, str):
        return size
    text = legacy.strip().upper()
    try:
        megabytes = int(float(text[:-1]) * _SIZES[text[-1:]])
    except (KeyError, ValueError, OverflowError):
        raise table.invalid(what, f"is {legacy!r}; write it as {what}_mb = 2048") from None
    if size is not None and size != megabytes:
        raise table.invalid(what, f"is {legacy!r} but {what}_mb is {size}; keep one of them")
    return megabytes


def _healthcheck(table: Table | None) -> Healthcheck | None:
    if table is None:
        return None
    given = {
        "interval": table.number("interval_sec"),
        "timeout": table.number("timeout_sec"),
        "start_period": table.number("start_period_sec"),
        "start_interval": table.number("start_interval_sec"),
        "retries": table.integer("retries"),
    }
    check = Healthcheck(table.required_text("command"))
    return replace(check, **{key: value for key, value in given.items() if value is not None})  # type: ignore[arg-type]


def _agent(table: Table, environment: EnvironmentConfig) -> AgentConfig:
    _refuse_other_network(table, environment)
    return AgentConfig(table.number("timeout_sec"), _user(table))


def _verifier(table: Table, environment: EnvironmentConfig) -> VerifierConfig:
    own = table.optional_table("environment")
    config = None if own is None else _environment(own)
    mode = table.choice("environment_mode", ("shared", "separate"))
    if mode == "shared" and config is not None:
        raise table.invalid("environment_mode", "is shared, but there is an environment; take one of them out")
    separate = mode == "separate" if mode else True if config else None
    _refuse_other_network(table, config or environment)
    return VerifierConfig(_or(table.number("timeout_sec"), 600.0), table.texts("env"), _user(table), separate, config)


def _refuse_other_network(table: Table, environment: EnvironmentConfig) -> None:
    """A phase's policy has to be that of its environment: no sandbox of this driver can change it while it runs."""
    mode = _network_mode(table)
    if mode is not None and (mode == "public") != environment.network:
        raise table.unsupported("network_mode", f"is {mode}, unlike its environment's; give both the same")


def _user(table: Table) -> User | None:
    user = table.values.get("user")
    if isinstance(user, bool) or not isinstance(user, str | int | None):
        raise table.invalid("user", "is neither a name nor a number; write one")
    return user


def _step(table: Table, environment: EnvironmentConfig) -> Step:
    name = table.required_text("name")
    if not name or "\0" in name or "/" in name or name in (".", ".."):
        raise table.unsupported("name", f"is {name!r}, and folders are called after it; write one plain name")
    return Step(
        name,
        _agent(table.table("agent"), environment),
        _verifier(table.table("verifier"), environment),
        _threshold(table),
        _healthcheck(table.optional_table("healthcheck")),
        _artifacts(table),
    )


def _threshold(table: Table) -> Number | Mapping[str, Number] | None:
    if not isinstance(table.values.get("min_reward"), dict):
        return table.number("min_reward")
    bounds = table.table("min_reward")
    return {key: _or(bounds.number(key), float("nan")) for key in bounds.values}


def _artifacts(table: Table) -> tuple[Artifact, ...]:
    return tuple(
        _checked(table, index, Artifact(value) if isinstance(value, str) else _artifact(table, index, value))
        for index, value in enumerate(table.list("artifacts"))
    )


def _artifact(table: Table, index: int, value: Any) -> Artifact:
    if not isinstance(value, dict):
        raise table.invalid(f"artifacts[{index}]", "is neither a path nor a table; write one")
    own = Table(table.folder, value, table.name(f"artifacts[{index}]"))
    exclude = own.list("exclude")
    if not all(isinstance(pattern, str) for pattern in exclude):
        raise own.invalid("exclude", "holds something else than strings; write strings")
    return Artifact(own.required_text("source"), own.text("destination"), tuple(exclude))


def _checked(table: Table, index: int, artifact: Artifact) -> Artifact:
    """Harbor writes where a destination leads, out of the trial's folder too; the driver does not."""
    place = artifact.destination or PurePosixPath(artifact.source).name
    if ".." in Path(place).parts or PurePosixPath(place).root == "//" or "\0" in artifact.source + place:
        raise table.unsupported(f"artifacts[{index}]", "leads out of the trial's folder; take the '..' or '//' out")
    return artifact


def _or[Value](value: Value | None, default: Value) -> Value:
    return default if value is None else value
