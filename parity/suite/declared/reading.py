"""Reads a TOML file of declared divergences, with the line numbers of entries and keys for messages."""

import re
import tomllib
from collections.abc import Iterable
from itertools import chain
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from parity.suite.declared.declaration import Declaration
from parity.suite.declared.writing import HEAD, KEYS
from parity.suite.divergence import Key

_KEY = re.compile(r"\s*([a-z]+)\s*=")


class DeclarationsError(Exception):
    """A file of declared divergences cannot be used. The message is one line with the reason."""


def read_declarations(path: Path) -> tuple[Declaration, ...]:
    """Read the entries of a file, in order.

    Raises:
        DeclarationsError: the file cannot be read, or an entry is not valid; the message names the line.
    """
    try:
        text = path.read_text(encoding="utf-8")
        document = tomllib.loads(text)
    except OSError as error:
        raise DeclarationsError(f"{path}: {error.strerror}; name a file of declared divergences") from None
    except UnicodeDecodeError:
        raise DeclarationsError(f"{path}: not UTF-8; save it as UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        raise DeclarationsError(f"{path}: not TOML: {error}") from None
    except RecursionError:
        raise DeclarationsError(f"{path}: not a file of declared divergences: nested too deeply") from None
    entries = document.pop("divergence", [])
    if document or not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise DeclarationsError(f"{path}: it may contain only {HEAD} tables; remove everything else")
    lines = _lines(text)
    if len(lines) != len(entries):
        raise DeclarationsError(f"{path}: begin every entry with its own line {HEAD}")
    return tuple(_declaration(path, entry, where) for entry, where in zip(entries, lines, strict=True))


def read_all_declarations(paths: Iterable[Path]) -> tuple[Declaration, ...]:
    """Read the entries of several files.

    Raises:
        DeclarationsError: see `read_declarations`; or two entries have the same rule, kind and harm.
    """
    known: dict[Key, Declaration] = {}
    for entry in chain.from_iterable(map(read_declarations, paths)):
        if first := known.get(entry.key):
            raise DeclarationsError(
                f"{entry.at()}: a second entry for {entry.name}; the first is at {first.at()}; keep one"
            )
        known[entry.key] = entry
    return tuple(known.values())


def _lines(text: str) -> list[dict[str, int]]:
    """Return, for every entry, the line numbers of its head and of the keys that begin a line."""
    entries: list[dict[str, int]] = []
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip().startswith(HEAD):
            entries.append({"": number})
        elif entries and (key := _KEY.match(line)):
            entries[-1].setdefault(key[1], number)
    return entries


def _declaration(path: Path, entry: dict[str, Any], lines: dict[str, int]) -> Declaration:
    if "flags" in entry:
        old = "the key flags is no longer supported; draft a new file with --write-divergences, without this one"
        raise DeclarationsError(f"{path}:{lines['']}: {old}")
    try:
        return Declaration.model_validate(entry, by_name=False).at_place(path, lines)
    except ValidationError as error:
        first = error.errors()[0]
        key = str(first["loc"][0])
        problem = f"{key}: {first['msg'].removeprefix('Value error, ')}"
        if first["type"] == "missing":
            problem, key = f"the entry lacks {key}", ""
        elif first["type"] == "extra_forbidden":
            problem = f"unknown key {key}; the keys of an entry are {', '.join(KEYS)}"
        raise DeclarationsError(f"{path}:{lines.get(key, lines[''])}: {problem}") from None
