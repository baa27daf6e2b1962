"""`reason_code`: an error's text to the code that says why a job has no score."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from parity.operations.operation import DESCRIPTION, Operation
from parity.wire import Json, WireError

_DECIDING = ("missing", "empty", "parse", "malformed")
_WORDS = ("reward", *_DECIDING)
_FAR = 300


@dataclass(frozen=True)
class ErrorText:
    """What an error says, or None where there is no error text."""

    text: str | None


@contextmanager
def _arguments(case: ErrorText) -> Iterator[tuple[str | None]]:
    yield (case.text,)


def _flags(case: ErrorText) -> frozenset[str]:
    if not case.text:
        return frozenset({"no-text" if case.text is None else "empty-text"})
    lowered = case.text.lower()
    found = _found(lowered)
    deciding = [word for word in _DECIDING if word in found]
    flags = set()
    if any(set(_found(other)) != set(found) for other in _other_mappings(case.text)):
        flags.add("look-alike")
    if set(_found(re.sub(r"[\s-]+", "", lowered))) > set(found):
        flags.add("broken-word")
    if any(word not in case.text for word in found):
        flags.add("upper-case")
    if any(not re.search(rf"(?<![\w/.-]){word}(?![\w/.-])", lowered) for word in found):
        flags.add("inside-a-word")
    if any(word not in lowered[:_FAR] for word in found):
        flags.add("far-word")
    if "reward" not in found:
        return frozenset(flags | ({"no-reward"} if deciding else set()))
    flags |= {f"{word}-word" for word in deciding}
    if not deciding:
        flags.add("not-found" if "no reward file found" in lowered else "reward-alone")
    if len(deciding) > 1:
        flags.add("several-words")
    if any(lowered.index(word) < lowered.index("reward") for word in deciding):
        flags.add("word-first")
    return frozenset(flags)


def _found(text: str) -> list[str]:
    return [word for word in _WORDS if word in text]


def _other_mappings(text: str) -> list[str]:
    """The text as other ways of ignoring case see it: full folding, by upper case, letter by letter."""
    return [text.casefold(), text.upper().lower(), "".join(character.lower()[0] for character in text)]


def _encode(case: ErrorText) -> Json:
    return {"text": case.text}


def _decode(value: Any) -> ErrorText:
    match value:
        case {"text": str() | None as text}:
            return ErrorText(text)
    raise WireError("a reason_code case takes a text, or null")


def _describe(case: ErrorText) -> str:
    return repr(case.text)


REASON_CODE = Operation(
    "reason_code",
    _arguments,
    _describe,
    _flags,
    _encode,
    _decode,
    case_of=ErrorText,
    authority=lambda flags: DESCRIPTION,
)
