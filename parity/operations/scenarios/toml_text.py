"""A writer of task.toml: tables under headings of their own, with inline values in them."""

import json
import re
from collections.abc import Mapping
from typing import Any


def toml_of(document: Mapping[str, Any]) -> str:
    """Write a document of strings, numbers, booleans, lists and tables as TOML; members that are None are left out."""
    given = {key: value for key, value in document.items() if value is not None}
    lines = [f"{key} = {_inline(value)}" for key, value in given.items() if not _is_heading(value)]
    for key, value in given.items():
        if isinstance(value, Mapping):
            lines += ["", f"[{key}]", *_members(value)]
        elif _is_heading(value):
            for table in value:
                lines += ["", f"[[{key}]]", *_members(table)]
    return "\n".join([*lines, ""]).lstrip("\n")


def _is_heading(value: Any) -> bool:
    tables = value if isinstance(value, list) and value else [value]
    return all(isinstance(table, Mapping) for table in tables)


def _members(table: Mapping[str, Any]) -> list[str]:
    return [f"{_key(key)} = {_inline(value)}" for key, value in table.items() if value is not None]


def _inline(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{" + ", ".join(_members(value)) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_inline, value)) + "]"
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str | bool) else repr(value)


def _key(key: str) -> str:
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else json.dumps(key, ensure_ascii=False)
