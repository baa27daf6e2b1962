"""Reads TOML files of declared divergences, and checks that they name rules, golden vectors and cases that exist."""

import re
import tomllib
from collections.abc import Iterable, Iterator
from itertools import chain, pairwise
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from parity.operations.goldens import vector_names
from parity.operations.rules import OPERATION_OF, RULES
from parity.operations.wire import WireError
from parity.suite.declared.declaration import Declaration, Source
from parity.suite.declared.writing import toml_string

_HEAD = re.compile(r"^[ \t]*\[\[[ \t]*divergence[ \t]*\]\]", re.MULTILINE)
_ONLY = "it may contain only [[divergence]] tables; remove everything else"
_OLD = "an entry of an earlier version; draft a new file with --write-divergences, without this one"


class DeclarationsError(Exception):
    """A file of declared divergences cannot be used. The message is one line with the reason."""


def read_declarations(path: Path, *, revising: bool = False) -> tuple[Declaration, ...]:
    """Read the entries of a file, in order.

    Args:
        path: the file.
        revising: whether the file is drafted again; then entries may have no reason yet.

    Raises:
        DeclarationsError: the file cannot be read, or an entry is not valid; the message has line and column.
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
        raise DeclarationsError(f"{path}: {_ONLY}")
    starts = [head.start() for head in _HEAD.finditer(text)]
    if len(starts) != len(entries):
        raise DeclarationsError(f"{path}: begin every entry with its own line [[divergence]]")
    sources = [Source(path, text, start, end) for start, end in pairwise([*starts, len(text)])]
    declarations = tuple(map(_declaration, entries, sources))
    for declaration in declarations:
        _check(declaration, revising=revising)
    return declarations


def read_all_declarations(paths: Iterable[Path], *, revising: bool = False) -> tuple[Declaration, ...]:
    """Read the entries of several files.

    Raises:
        DeclarationsError: see `read_declarations`; or a golden vector is listed twice.
    """
    entries = tuple(chain.from_iterable(read_declarations(path, revising=revising) for path in paths))
    first_places: dict[str, tuple[Declaration, tuple[str, ...]]] = {}
    for entry in entries:
        for rule, effect, vector in entry.vectors():
            steps = rule, effect, toml_string(vector.removeprefix(f"{rule}/"))
            if vector in first_places:
                first, path = first_places[vector]
                problem = f"{vector} is listed a second time; the first is at {first.place(*path)}; keep one"
                raise DeclarationsError(f"{entry.place(*steps)}: {problem}")
            first_places[vector] = entry, steps
    return entries


def _declaration(entry: dict[str, Any], source: Source) -> Declaration:
    if entry.keys() & {"rule", "witness"}:
        raise DeclarationsError(f"{source.place()}: {_OLD}")
    try:
        return Declaration.model_validate(entry, by_name=False).at(source)
    except ValidationError as error:
        first = error.errors()[0]
        path = [step for step in first["loc"] if step not in ("[key]", "vectors")]
        where = ", ".join(str(step) for step in path if isinstance(step, str) and step != "rules")
        problem = f"{where}: {first['msg'].removeprefix('Value error, ')}"
        match first["type"], first["loc"]:
            case "missing", (key, *_):
                problem = f"the entry lacks {key}"
            case "extra_forbidden", (key, *_):
                problem = f"unknown key {key}; the keys of an entry are class, reason and rules"
            case "too_short", ("rules",):
                problem = "the entry has no rule; add one, or remove the entry"
            case "tuple_type", _:
                problem = f"{where}: must be an array of names of golden vectors"
            case "too_short", _:
                problem = f"{where}: no golden vector; name one, or remove the key"
        raise DeclarationsError(f"{source.place(*path)}: {problem}") from None


def _check(declaration: Declaration, *, revising: bool) -> None:
    """Check what an entry refers to.

    Raises:
        DeclarationsError: the first problem.
    """
    for steps, problem in _problems(declaration, revising=revising):
        raise DeclarationsError(f"{declaration.place(*steps)}: {problem}")


def _problems(declaration: Declaration, *, revising: bool) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield each problem with the steps that lead to its place in the file."""
    if not (declaration.reason.strip() or revising):
        yield ("reason",), "the entry has no reason yet; say why the runner differs"
    for rule, row in declaration.rules.items():
        if rule not in RULES:
            yield (rule,), f"unknown rule {rule}; golden/SPEC.md lists the rules"
            continue
        if not (row.vectors or row.cases):
            yield (rule,), f"{rule}: no golden vector and no case; name one, or remove the rule"
        for effect, names in row.vectors.items():
            for name in sorted(set(names) - set(vector_names(rule))):
                yield (rule, effect, toml_string(name)), f"{rule}: unknown golden vector {name}; remove or correct it"
        for effect, case in row.cases.items():
            try:
                OPERATION_OF[rule].decode(case)
            except WireError as error:
                yield (rule, "cases", effect), f"{rule}: not a case of {OPERATION_OF[rule].name}: {error}"
