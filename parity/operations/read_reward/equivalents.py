"""Functions that build equivalent cases of `read_reward`, by which attribution finds the rule that a runner breaks."""

import json
import re
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from parity.operations.files.file_states import ABSENT, FileKind, FileState
from parity.operations.files.number_strings import number_in, with_old_digits
from parity.operations.read_reward.case import RewardDirectory


def _states(case: RewardDirectory, change: Callable[[FileState], FileState]) -> RewardDirectory:
    return replace(case, json=change(case.json), text=change(case.text))


def json_alone(case: RewardDirectory) -> RewardDirectory:
    return replace(case, text=ABSENT) if case.json.kind not in ("absent", "dangling-link", "looping-link") else case


def links_followed(case: RewardDirectory) -> RewardDirectory:
    followed: dict[FileKind, FileKind] = {"link": "file", "link-to-directory": "directory"}
    return _states(case, lambda state: replace(state, kind=followed.get(state.kind, state.kind)))


def dangling_absent(case: RewardDirectory) -> RewardDirectory:
    return _states(case, lambda state: ABSENT if state.kind in ("dangling-link", "looping-link") else state)


def empty_for(*kinds: str) -> Callable[[RewardDirectory], RewardDirectory]:
    return lambda case: _states(case, lambda state: FileState("file") if state.kind in kinds else state)


def marks_as_text(case: RewardDirectory) -> RewardDirectory:
    """Replace a UTF-8 byte order mark by a letter, and content with a UTF-16 byte order mark by undecodable bytes."""

    def changed(state: FileState) -> FileState:
        content = state.content
        if content.startswith(BOM_UTF8):
            return replace(state, content=b"x" + content.removeprefix(BOM_UTF8))
        return replace(state, content=b"\xff") if content.startswith((BOM_UTF16_LE, BOM_UTF16_BE)) else state

    return _states(case, changed)


def small(case: RewardDirectory) -> RewardDirectory:
    """Make large files small: remove all but one of the leading zeros, and replace long runs of spaces by one space."""

    def changed(state: FileState) -> FileState:
        content = re.sub(rb"^0+(?=0)", b"", state.content)
        return replace(state, content=re.sub(rb" {1000,}", b" ", content))

    return _states(case, changed)


def at_a_plain_path(case: RewardDirectory) -> RewardDirectory:
    return replace(case, within="", directory="folder" if case.directory == "link" else case.directory)


def _text(change: Callable[[str], str]) -> Callable[[RewardDirectory], RewardDirectory]:
    def changed(case: RewardDirectory) -> RewardDirectory:
        try:
            content = change(case.text.content.decode()).encode()
        except ValueError:
            return case
        return replace(case, text=replace(case.text, content=content))

    return changed


def _plain_digits(text: str) -> str:
    """Replace digits that the interpreter knows by ASCII digits, and digits of a later Unicode version by a letter."""
    plain = "".join(str(int(each)) if each.isdecimal() else each for each in text)
    return "".join(each if old == each else "x" for each, old in zip(plain, with_old_digits(plain), strict=True))


def _document(change: Callable[[Any], Any]) -> Callable[[RewardDirectory], RewardDirectory]:
    def changed(case: RewardDirectory) -> RewardDirectory:
        try:
            document = change(json.loads(case.json.content))
        except (ValueError, RecursionError):
            return case
        return replace(case, json=replace(case.json, content=json.dumps(document).encode()))

    return changed


def _floats_for_bools(document: Any) -> Any:
    if not isinstance(document, dict):
        return document
    return {key: float(value) if isinstance(value, bool) else value for key, value in document.items()}


def _numbers_for_strings(kind: type[int] | type[float]) -> Callable[[Any], Any]:
    def changed(document: Any) -> Any:
        if not isinstance(document, dict):
            return document
        numbers = {key: number_in(value) for key, value in document.items() if isinstance(value, str)}
        return {**document, **{key: number for key, number in numbers.items() if isinstance(number, kind)}}

    return changed


def flat(case: RewardDirectory) -> RewardDirectory:
    """Empty the nested arrays and objects, whose content does not affect the rewards."""
    flat = _document(_flat_document)(case)
    if flat is not case:
        return flat
    content = re.sub(rb"\[{2,}", b"[", case.json.content)  # invalid JSON before and after
    return replace(case, json=replace(case.json, content=content))


def _flat_document(document: Any) -> Any:
    if isinstance(document, list):
        return []
    if not isinstance(document, dict):
        return document
    return {key: [] if isinstance(value, list | dict) else value for key, value in document.items()}


without_padding = _text(lambda text: text.strip(" \t\n\r\x0b\x0c"))
without_unicode_padding = _text(str.strip)
without_underscores = _text(lambda text: text.replace("_", ""))
with_plain_digits = _text(_plain_digits)
spelled_plainly = _text(lambda text: repr(float(text)))
without_duplicates = _document(lambda document: document)
floats_for_bools = _document(_floats_for_bools)


def without_others(case: RewardDirectory) -> RewardDirectory:
    return replace(case, others={})


def numbers_for_strings(kind: type[int] | type[float]) -> Callable[[RewardDirectory], RewardDirectory]:
    """Return a function that replaces each string that is read as a number of this kind by the number."""
    return _document(_numbers_for_strings(kind))
