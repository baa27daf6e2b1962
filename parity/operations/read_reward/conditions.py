"""Conditions on cases of `read_reward`, which its rules use."""

import json
import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from parity.operations.files.file_states import FileState
from parity.operations.files.json_nesting import HELD_LEVELS, nesting
from parity.operations.files.number_strings import number_in, with_old_digits
from parity.operations.read_reward.case import RewardDirectory
from parity.operations.rule import When

_LARGE = 1 << 20
"""The number of bytes above which a file is considered large."""

_HUNDREDS = 200
_MARKS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")
_SMALLEST_NORMAL = 2.2250738585072014e-308
_PLAIN_NAME = re.compile(r"(\w[\w.-]{0,63})?", re.ASCII)


# Conditions on the directory and its files.


def _is_readable(case: RewardDirectory) -> bool:
    return case.directory in ("folder", "link")


def _looked_at(case: RewardDirectory) -> Iterator[FileState]:
    """Yield the states of the files that matter: reward.json, and reward.txt only if reward.json does not exist."""
    if _is_readable(case):
        yield case.json
        if not case.json.exists:
            yield case.text


def has(*kinds: str) -> When:
    """Build a condition that holds if a file that matters is of one of these kinds."""
    return lambda case: any(state.kind in kinds for state in _looked_at(case))


def has_fifo(case: RewardDirectory) -> bool:
    """Return whether one of the two is a FIFO, even one that does not matter: a runner that opens it may hang."""
    return _is_readable(case) and "fifo" in (case.json.kind, case.text.kind)


def has_other_files(case: RewardDirectory) -> bool:
    return bool(case.others) and _is_readable(case)


def has_unusual_path(case: RewardDirectory) -> bool:
    return case.directory == "link" or not _PLAIN_NAME.fullmatch(case.within)


def has_both_files(case: RewardDirectory) -> bool:
    """Return whether reward.txt and reward.json are present.

    reward.txt may be a dangling symlink, but reward.json must exist and not be a directory.
    """
    is_directory = case.json.kind in ("directory", "link-to-directory")
    return _is_readable(case) and case.json.exists and not is_directory and case.text.kind != "absent"


def has_unsearchable_directory(case: RewardDirectory) -> bool:
    return case.directory == "unsearchable"


def has_no_file(case: RewardDirectory) -> bool:
    """Return whether neither reward file exists, or there is no directory."""
    return case.directory in ("absent", "file") or (_is_readable(case) and not (case.json.exists or case.text.exists))


# Conditions on the content of the reward file that is used.


def _content(state: FileState) -> bytes | None:
    return state.content if state.kind in ("file", "link") else None


def _json(case: RewardDirectory) -> bytes | None:
    return _content(case.json) if _is_readable(case) and case.json.exists else None


def _text(case: RewardDirectory) -> bytes | None:
    return _content(case.text) if _is_readable(case) and not case.json.exists else None


def in_content(holds: Callable[[bytes], bool]) -> When:
    """Build a condition that holds if the predicate holds for the content of the reward file that is used."""

    def condition(case: RewardDirectory) -> bool:
        content = _json(case) if case.json.exists else _text(case)
        return content is not None and holds(content)

    return condition


def is_large(content: bytes) -> bool:
    return len(content) > _LARGE


def is_empty(content: bytes) -> bool:
    return not content


def is_white_space(content: bytes) -> bool:
    text = _decoded(content)
    return bool(text) and not str(text).strip()


def is_undecodable(content: bytes) -> bool:
    return _decoded(content) is None and not has_byte_order_mark(content)


def has_byte_order_mark(content: bytes) -> bool:
    return content.startswith(_MARKS)


@lru_cache(64)
def _decoded(content: bytes) -> str | None:
    """Decode the content. Return None if it is not UTF-8, or begins with a byte order mark."""
    if has_byte_order_mark(content):
        return None
    try:
        return content.decode()
    except UnicodeDecodeError:
        return None


# Conditions on the content of reward.json.


@dataclass(frozen=True)
class _Document:
    text: str
    value: Any
    """The parsed document, or an ellipsis if the text is not JSON or is nested too deeply."""

    has_duplicates: bool = False
    has_constants: bool = False


@lru_cache(64)
def _document(content: bytes) -> _Document | None:
    """Parse the content of reward.json. Return None if it is not text, or is blank."""
    text = _decoded(content)
    if not text or not text.strip():
        return None
    if _is_deep(text):
        return _Document(text, ...)
    duplicates: list[str] = []
    constants: list[str] = []

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        document = dict(items)
        if len(document) < len(items):
            duplicates.append("")
        return document

    def constant(name: str) -> float:
        constants.append(name)
        return float(name)

    try:
        value = json.loads(text, object_pairs_hook=pairs, parse_constant=constant)
    except ValueError:
        return _Document(text, ...)
    return _Document(text, value, bool(duplicates), bool(constants))


def _is_deep(text: str) -> bool:
    return text.count("[") + text.count("{") > HELD_LEVELS and nesting(text) > HELD_LEVELS


def in_json(holds: Callable[[_Document], bool]) -> When:
    """Build a condition that holds if reward.json is used and is text, and the predicate holds for its document."""

    def condition(case: RewardDirectory) -> bool:
        content = _json(case)
        document = None if content is None else _document(content)
        return document is not None and holds(document)

    return condition


def in_object(holds: Callable[[dict[str, Any]], bool]) -> When:
    """Build a condition that holds if reward.json is used and is an object, and the predicate holds for the object."""
    return in_json(lambda document: isinstance(document.value, dict) and holds(document.value))


def in_value(holds: Callable[[Any], bool]) -> When:
    """Build a condition that holds if the predicate holds for a value in reward.json's object."""
    return in_object(lambda document: any(map(holds, document.values())))


def is_too_deep(document: _Document) -> bool:
    return _is_deep(document.text)


def is_hundreds_deep(document: _Document) -> bool:
    brackets = document.text.count("[") + document.text.count("{")
    return brackets >= _HUNDREDS and _HUNDREDS <= nesting(document.text) <= HELD_LEVELS


def has_too_many_digits(document: _Document) -> bool:
    return document.value is ... and not is_too_deep(document) and bool(re.search(r"\d{4301}", document.text))


def is_malformed(document: _Document) -> bool:
    return document.value is ... and not is_too_deep(document) and not has_too_many_digits(document)


def is_null(document: _Document) -> bool:
    return document.value is None


def is_not_an_object(document: _Document) -> bool:
    return document.value is not ... and document.value is not None and not isinstance(document.value, dict)


def has_duplicate_key(document: _Document) -> bool:
    return document.has_duplicates


def has_constant(document: _Document) -> bool:
    return document.has_constants


def has_no_key(document: dict[str, Any]) -> bool:
    return not document


def has_several_keys(document: dict[str, Any]) -> bool:
    return len(document) > 1


def has_unusual_key(document: dict[str, Any]) -> bool:
    return any(key != "reward" for key in document)


def is_no_number(value: object) -> bool:
    return value is None or isinstance(value, list | dict) or (isinstance(value, str) and number_in(value) is None)


def is_integer_string(value: object) -> bool:
    return isinstance(value, str) and isinstance(number_in(value), int)


def is_number_string(value: object) -> bool:
    return isinstance(value, str) and isinstance(number_in(value), float)


def is_bool(value: object) -> bool:
    return isinstance(value, bool)


def is_int(value: object) -> bool:
    return type(value) is int


def is_inexact_int(value: object) -> bool:
    """Return whether the value is an int that a double may not represent exactly."""
    return type(value) is int and abs(value) > 2**53


def is_float(value: object) -> bool:
    return isinstance(value, float)


# Conditions on the content of reward.txt.

_ASCII_PADDING = " \t\n\r\x0b\x0c"
_EXPONENT = re.compile(r"\de[+-]?\d", re.IGNORECASE)
_BARE_POINT = re.compile(r"(?<![\d_])\.\d|\d\.(?!\d)")
_LONG_DIGITS = re.compile(r"\d[\d_.]{17,}")
_SEPARATOR = re.compile("[\x1c-\x1f]")
_OTHER_DIGIT = re.compile(r"[^\D0-9]")


def in_text(holds: Callable[[str], bool]) -> When:
    """Build a condition that holds if reward.txt is used and is text, and the predicate holds for the text.

    Blank text does not meet the condition.
    """

    def condition(case: RewardDirectory) -> bool:
        content = _text(case)
        text = None if content is None else _decoded(content)
        return bool(text) and bool(str(text).strip()) and holds(str(text))

    return condition


def in_number_text(holds: Callable[[str], bool]) -> When:
    """Build a condition that holds if reward.txt is used and is a number, and the predicate holds for its text.

    The predicate is called with the text without surrounding ASCII white space.
    """
    return in_text(lambda text: _number(text) is not None and holds(text.strip(_ASCII_PADDING)))


@lru_cache(64)
def _number(text: str) -> float | None:
    """Parse the text as a number with the digits that the oldest interpreter accepts. Return None if it is not one."""
    try:
        return float(with_old_digits(text))
    except ValueError:
        return None


def has_padding(text: str) -> bool:
    return text[0] in _ASCII_PADDING or text[-1] in _ASCII_PADDING


def has_unicode_padding(text: str) -> bool:
    core = text.strip(_ASCII_PADDING)
    return core != core.strip()


def has_separators(text: str) -> bool:
    """Return whether the text is a number only after the separators around it are removed."""
    return _number(text) is None and _number(text.strip()) is not None and bool(_SEPARATOR.search(text))


def has_unicode_digits(text: str) -> bool:
    return with_old_digits(text) != text or (not text.isascii() and bool(_OTHER_DIGIT.search(text)))


def is_no_number_text(text: str) -> bool:
    return "\0" in text or _number(text) is None


def has_underscore(core: str) -> bool:
    return "_" in core


def has_unusual_spelling(core: str) -> bool:
    """Return whether the number has an exponent, a plus sign, or a decimal point that lacks digits on one side."""
    # Regular expressions are slow on megabytes of digits, so they are used only if they can match.
    has_exponent = ("e" in core or "E" in core) and _EXPONENT.search(core)
    return core.startswith("+") or bool(has_exponent) or bool("." in core and _BARE_POINT.search(core))


# Conditions on numbers in reward.txt or reward.json.


def in_float(holds: Callable[[float], bool]) -> When:
    """Build a condition that holds if the predicate holds for the number in reward.txt or a float in reward.json."""
    in_txt = in_text(lambda text: (number := _number(text)) is not None and holds(number))
    in_document = in_value(lambda value: isinstance(value, float) and holds(value))
    return lambda case: in_txt(case) or in_document(case)


has_not_finite = in_float(lambda number: not math.isfinite(number))
has_negative_zero = in_float(lambda number: number == 0 and math.copysign(1, number) < 0)
_has_subnormal = in_float(lambda number: 0 < abs(number) < _SMALLEST_NORMAL)
_has_long_text = in_number_text(lambda core: bool(_LONG_DIGITS.search(core)))
_has_long_json = in_json(lambda each: isinstance(each.value, dict) and bool(_LONG_DIGITS.search(each.text)))
_has_float_outside = in_float(lambda number: math.isfinite(number) and not 0 <= number <= 1)
_has_int_outside = in_value(lambda value: type(value) is int and not 0 <= value <= 1)


def needs_rounding(case: RewardDirectory) -> bool:
    """Return whether a number has more digits than a double can hold, or is below the smallest normal double."""
    return _has_long_text(case) or _has_long_json(case) or _has_subnormal(case)


def has_reward_outside_unit_interval(case: RewardDirectory) -> bool:
    return _has_float_outside(case) or _has_int_outside(case)
