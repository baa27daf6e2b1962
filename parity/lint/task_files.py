"""Finds faults in a task's files without running it: in each field of task.toml, in its folders and in its scripts."""

import re
from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from parity.driver.errors import FatalTask, TaskError, UnsupportedTask
from parity.driver.task import read_task
from parity.driver.task_file import read_values, task_config
from parity.formats.errors import place_name
from parity.formats.task import AgentConfig, EnvironmentConfig, Package, Solution, TaskConfig, TaskStep, VerifierConfig
from parity.lint.findings import Finding, not_run
from parity.lint.reach import check_reach
from parity.lint.scripts import check_script, check_shebangs, test_folders


def check_files(task: Path) -> Iterator[Finding]:
    """Yield the faults of a task's files.

    Args:
        task: the task's folder.
    """
    config = TaskConfig()
    try:
        values = read_values(task)
        config = task_config(task, values)
        yield from check_values(task, values, config)
        read_task(task, in_dataset=True)
    except UnsupportedTask as error:
        yield not_run(task, error.what)
    except FatalTask as error:
        yield _refused(task, "ends-the-job", error.what)
    except TaskError as error:
        yield _refused(task, "refused", error.what)
    for _, folder in test_folders(task, config):
        yield from check_script(task, folder / "test.sh")
    if config.environment.os == "linux":
        yield from check_shebangs(task)
    yield from check_reach(task, config)


def _refused(task: Path, rule: str, error: str) -> Finding:
    what, _, remedy = error.rpartition("; ")
    later = [since for value, since in LATER_VALUES.items() if re.search(value, what)]
    return Finding(task, rule, what + "".join(f", which Harbor takes from {since} on" for since in later), remedy)


type _Place = tuple[str | int, ...]

LATER = {
    "artifacts.service": "0.14",
    "verifier.collect": "0.14",
    "task.version": "0.21",
    "environment.mcp_servers.headers": "0.25",
}
"""Keys of a task or a step that only later releases of Harbor read, each with the first of these releases."""

LATER_VALUES = {
    r"allowed_hosts\[\d+\] is '\*\.": "0.14",
    r"allowed_hosts\[\d+\] is '[\d.]+/\d+'": "0.18",
    r"environment\.cpus is a float": "0.25",
}
"""Messages about values that only later releases of Harbor take, each with the first of these releases."""

_SCHEMA, _LATER_SCHEMA = "1.3", "1.4"
"""The version of task.toml that Harbor 0.13.1 writes, and the one that Harbor writes from 0.21 on."""

_TABLES: dict[str, type[BaseModel]] = {
    "the top level": TaskConfig,
    "[task]": Package,
    "[environment]": EnvironmentConfig,
    "[agent]": AgentConfig,
    "[verifier]": VerifierConfig,
    "[solution]": Solution,
    "[[steps]]": TaskStep,
}
"""The tables that an author may mean by a key in another table."""

_SIMILAR = 0.76
"""The least similarity of a mistyped key to the key that is meant."""

_DEPRECATED = {
    TaskConfig: {"version": "schema_version"},
    EnvironmentConfig: {"memory": "memory_mb", "storage": "storage_mb", "allow_internet": "network_mode"},
}
"""The deprecated keys of each table, each with the key that replaces it."""


def check_values(task: Path, values: dict[str, Any], config: TaskConfig) -> Iterator[Finding]:
    """Yield a finding for each key without effect, and for each value that Harbor converts to another one.

    Args:
        task: the task's folder.
        values: the values in its task.toml.
        config: the settings that were read from them.
    """
    for rule, what in _differences((), values, config):
        yield Finding(task, rule, f"task.toml: {what}")
    yield from _check_schema(task, config.schema_version)


def _check_schema(task: Path, version: str) -> Iterator[Finding]:
    what = f"task.toml: schema_version is {version!r}"
    if version == _LATER_SCHEMA:
        yield Finding(task, "later-key", f"{what}, which Harbor writes from 0.21 on")
    elif re.fullmatch(r"(1\.([5-9]|\d\d)|[2-9]|\d\d)[\d.]*", version):
        yield Finding(task, "ignored-key", f"{what}, which no release of Harbor knows", f"write {_SCHEMA}")


def _differences(place: _Place, written: Any, read: Any) -> Iterator[tuple[str, str]]:
    """Yield a lint rule, and the fault, for each difference between a value as written and as read."""
    if isinstance(written, list):
        for index, item in enumerate(written):
            yield from _differences((*place, index), item, read[index])
    elif isinstance(written, dict):
        for key, value in written.items():
            if isinstance(read, BaseModel):
                yield from _ignored(place, key, written, read)
            known = dict(read)
            if key in known:
                yield from _differences((*place, key), value, known[key])
    elif isinstance(written, str | bool) and type(written) is not type(read) and not isinstance(read, BaseModel):
        yield "converted-value", f"{place_name(place)} is {written!r}, read as {read!r}"


def _ignored(place: _Place, key: str, table: dict[str, Any], read: BaseModel) -> Iterator[tuple[str, str]]:
    """Yield a lint rule, and the fault, if Harbor ignores a key of a table."""
    name, fields = place_name((*place, key)), type(read).model_fields
    if instead := _DEPRECATED.get(type(read), {}).get(key):
        if not _has_effect(key, table, read):
            yield "ignored-key", f"{name} has no effect, Harbor reads {instead}"
    elif key not in fields:
        if since := LATER.get(re.sub(r"^(steps\[\d+\]\.)?(verifier\.(?=environment))?|\[\d+\]", "", name)):
            yield "later-key", f"{name} is a key of Harbor's from {since} on"
        else:
            yield "ignored-key", f"Harbor has no key {name}{_meant(key, fields)}"


def _meant(key: str, fields: Iterable[str]) -> str:
    """Return a hint to the key that an unknown key may stand for: one of another table, or a similar one."""
    if tables := [name for name, table in _TABLES.items() if key in table.model_fields]:
        return f" (it is a key of {' and of '.join(tables)})"
    similar = get_close_matches(key, fields, 1, _SIMILAR)
    return f" (did you mean {similar[0]}?)" if similar else ""


def _has_effect(key: str, table: dict[str, Any], read: BaseModel) -> bool:
    """Return whether Harbor reads a deprecated key, or whether it agrees with the key that replaces it."""
    if isinstance(read, EnvironmentConfig) and key == "allow_internet":
        return "network_mode" not in table or read.allow_internet is (read.network_mode != "no-network")
    return key == "version" or isinstance(table[key], str)
