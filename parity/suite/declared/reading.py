"""Reads a TOML file of declared divergences, with the line numbers of entries and keys for messages."""

import json
import re
import tomllib
from collections.abc import Iterable
from itertools import chain
from pathlib import Path
from typing import Any, NoReturn

from parity.operations import OPERATIONS
from parity.operations.answers import Fault
from parity.operations.operation import decode_answer
from parity.operations.rules import FLAGS
from parity.operations.wire import Json, WireError, canonical, encode
from parity.suite.declared.declaration import CLASSES, Declaration, DeclarationsError, check_answer_json, redundant
from parity.suite.declared.writing import HEAD, difference_line, unfolded
from parity.suite.difference_kind import DIFFERENCE_KINDS, DifferenceKind, grade_of
from parity.suite.harm import Harm

KEYS = ("operation", "flags", "difference", "class", "reason", "witness", "reference", "runner")
_KEY = re.compile(r"\s*([a-z]+)\s*=")


def read_declarations(path: Path, *, revising: bool = False) -> tuple[Declaration, ...]:
    """Read the entries of a file, in order.

    Args:
        path: the file.
        revising: whether the file will be written again; then entries may lack `difference`, as in old files.

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
        raise DeclarationsError(f"{path}: it may hold only tables {HEAD}; remove everything else")
    lines = _lines(text)
    if len(lines) != len(entries):
        raise DeclarationsError(f"{path}: begin every entry with its own line {HEAD}")
    read = (_declaration(path, entry, where) for entry, where in zip(entries, lines, strict=True))
    return tuple(entry if revising else _up_to_date(entry) for entry in read)


def read_all_declarations(paths: Iterable[Path], *, revising: bool = False) -> tuple[Declaration, ...]:
    """Read the entries of several files.

    Args:
        paths: the files.
        revising: whether the entries will be written again, without redundant ones; see `read_declarations`.

    Raises:
        DeclarationsError: see `read_declarations`; or an entry is redundant because of another.
    """
    declared = tuple(chain.from_iterable(read_declarations(path, revising=revising) for path in paths))
    for entry, wider in redundant(declared):
        if entry.name == wider.name:
            problem = f"a second entry for {entry.name}, as at {wider.at()}; keep one of them"
            raise DeclarationsError(f"{entry.at()}: {problem}")
        if not revising:
            problem = f"{entry.name} is redundant beside {wider.name} at {wider.at()}, which allows as much; keep one"
            raise DeclarationsError(f"{entry.at()}: {problem}")
    return declared


def _up_to_date(entry: Declaration) -> Declaration:
    """Return the entry, if it has a kind of difference.

    Raises:
        DeclarationsError: the entry has no kind of difference; the message names the line to add.
    """
    if entry.is_dated:
        add = f"add the line {difference_line(entry.difference)}, or revise the whole file with --write-divergences"
        raise DeclarationsError(f"{entry.at()}: the entry lacks difference; {add}")
    return entry


def _lines(text: str) -> list[dict[str, int]]:
    """Return for every entry the line numbers of its head and of the keys that begin a line."""
    entries: list[dict[str, int]] = []
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip().startswith(HEAD):
            entries.append({"": number})
        elif entries and (key := _KEY.match(line)):
            entries[-1].setdefault(key[1], number)
    return entries


def _declaration(path: Path, entry: dict[str, Any], lines: dict[str, int]) -> Declaration:
    def refuse(what: str, key: str = "") -> NoReturn:
        raise DeclarationsError(f"{path}:{lines.get(key, lines[''])}: {what}")

    missing = [key for key in KEYS if key not in entry]
    if missing and missing != ["difference"]:
        refuse(f"the entry lacks {', '.join(missing)}")
    if unknown := sorted(set(entry) - set(KEYS)):
        refuse(f"an entry has no key {unknown[0]}; its keys are {', '.join(KEYS)}", unknown[0])
    operation, flags = entry["operation"], entry["flags"]
    if not isinstance(operation, str) or operation not in OPERATIONS:
        refuse(f"there is no operation {operation!r}; there are {', '.join(OPERATIONS)}", "operation")
    if not isinstance(flags, list) or not all(isinstance(flag, str) for flag in flags):
        refuse("flags takes a list of flags", "flags")
    if strange := [flag for flag in flags if flag not in FLAGS[operation]]:
        refuse(f"{operation} has no flag {strange[0]!r}; parity/operations/{operation}/README.md lists them", "flags")
    if "difference" in entry and entry["difference"] not in list(DIFFERENCE_KINDS):
        refuse(f"difference takes one of {', '.join(DIFFERENCE_KINDS)}, not {entry['difference']!r}", "difference")
    if not isinstance(entry["class"], str) or entry["class"] not in CLASSES:
        refuse(f"class takes one of {', '.join(CLASSES)}, not {entry['class']!r}", "class")
    if not isinstance(entry["reason"], str) or not entry["reason"].strip():
        refuse("reason takes a text that says why", "reason")
    read: dict[str, Any] = {}
    for key in ("witness", "reference", "runner"):
        try:
            read[key] = _read_json(entry[key])
            case = OPERATIONS[operation].decode(read["witness"])
            if key != "witness":
                check_answer_json(operation, read[key], key)
        except (TypeError, ValueError, RecursionError) as error:
            problem = str(error) if isinstance(error, WireError) else "not JSON in a text"
            refuse(f"{key}: {problem}; write it again with --write-divergences", key)
    kinds, harm = _kinds(operation, case, read["reference"], read["runner"])
    if not kinds:
        refuse("reference and runner give the same answer, so nothing diverges; remove the entry", "runner")
    difference = entry.get("difference", kinds[0])
    if difference not in kinds:
        refuse(f"the witness diverges in another way; change the line to: {difference_line(kinds[0])}", "difference")
    if outside := frozenset(flags) - OPERATIONS[operation].flags(case):
        refuse(f"the witness does not carry {', '.join(sorted(outside))}, so it is not in the region", "witness")
    return Declaration(
        operation,
        frozenset(flags),
        difference,
        harm,
        entry["class"],
        entry["reason"],
        case,
        read["reference"],
        read["runner"],
        path,
        lines,
        is_dated="difference" in missing,
    )


def _kinds(operation: str, case: Any, reference: Json, runner: Json) -> tuple[list[DifferenceKind], Harm | None]:
    """Return the possible kinds of difference between two answers, none if they are equal, and the harm if known."""
    expected = decode_answer(OPERATIONS[operation], reference)
    match runner:
        case {"crash": True}:
            return ["no-answer"], None
        case {"unusual": _}:
            return ["value-for-error"] if isinstance(expected, Fault) else ["other-type", "other-value"], None
    actual = decode_answer(OPERATIONS[operation], runner)
    grade = grade_of(OPERATIONS[operation], case, expected, actual)
    return ([grade.kind], grade.harm) if grade else ([], None)


def _read_json(text: str) -> Json:
    """Read a JSON text with numbers in their wire form.

    Raises:
        WireError: a number is not in its wire form.
        ValueError: the text is not JSON.
    """
    value = unfolded(json.loads(text, parse_float=_refuse_float, parse_constant=_refuse_float))
    _refuse_ints(value)
    return value


def _refuse_float(text: str) -> NoReturn:
    raise WireError(f"a plain number, {text:.40}, where {canonical(encode(float(text)))} should be")


def _refuse_ints(value: Json) -> None:
    match value:
        case {"utf8": _, "times": int()} | {"hex": _, "times": int()}:
            pass
        case dict():
            for each in value.values():
                _refuse_ints(each)
        case list():
            for each in value:
                _refuse_ints(each)
        case int() if not isinstance(value, bool):
            raise WireError(f"a plain number, {value}, where {canonical(encode(value))} should be")
