"""Finds keys of task.toml that Harbor ignores, and values that it reads as another value."""

import re
from collections.abc import Iterator
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from parity.formats.errors import place_name
from parity.formats.task import EnvironmentConfig, TaskConfig
from parity.lint.findings import Finding

type _Place = tuple[str | int, ...]

LATER = {"artifacts.service": "0.14", "verifier.collect": "0.14", "task.version": "0.21"}
"""Keys of a task or a step that only later releases of Harbor read, with the first of these releases."""


_DEPRECATED = {
    TaskConfig: {"version": "schema_version"},
    EnvironmentConfig: {"memory": "memory_mb", "storage": "storage_mb", "allow_internet": "network_mode"},
}
"""By table: its deprecated keys, each with the key that replaces it."""


def check_values(task: Path, values: dict[str, Any], config: TaskConfig) -> Iterator[Finding]:
    """Yield a finding for each key without effect, and for each value that is read as another one.

    Args:
        task: the task's folder.
        values: the values in its task.toml.
        config: the settings that were read from them.
    """
    for rule, what in _differences((), values, config):
        yield Finding(task, rule, f"task.toml: {what}")


def _differences(place: _Place, written: Any, read: Any) -> Iterator[tuple[str, str]]:
    """Yield a lint rule, and what breaks it, for each difference between a value as written and as read."""
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
    """Yield a lint rule, and what breaks it, if Harbor ignores a key of a table."""
    name, fields = place_name((*place, key)), type(read).model_fields
    if instead := _DEPRECATED.get(type(read), {}).get(key):
        if not _has_effect(key, table, read):
            yield "ignored-key", f"{name} has no effect, Harbor reads {instead}"
    elif key not in fields:
        if since := LATER.get(re.sub(r"\[\d+\]|^steps\[\d+\]\.", "", name)):
            yield "later-key", f"{name} is a key of Harbor's from {since} on"
        else:
            meant = get_close_matches(key, fields, 1)
            yield "ignored-key", f"Harbor has no key {name}{f', but {meant[0]}' if meant else ''}"


def _has_effect(key: str, table: dict[str, Any], read: BaseModel) -> bool:
    """Return whether Harbor reads a deprecated key, or whether it agrees with the key that replaces it."""
    if isinstance(read, EnvironmentConfig) and key == "allow_internet":
        return "network_mode" not in table or read.allow_internet is (read.network_mode != "no-network")
    return key == "version" or isinstance(table[key], str)
