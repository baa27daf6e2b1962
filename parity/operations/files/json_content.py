"""Bytes to text and text to JSON, with the flags of what is in the way."""

import json
import re
from itertools import accumulate
from typing import Any

NO_DOCUMENT: Any = object()
"""What `parsed` gives where there is no JSON document."""

HELD_LEVELS = 1300
"""How many arrays and objects inside each other every interpreter holds, wherever it is asked from."""

_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
_STEPS = {"[": 1, "{": 1, "]": -1, "}": -1}


def decoded(content: bytes) -> tuple[str | None, set[str]]:
    """The text, or None where the bytes are none, and flags."""
    if not content:
        return "", {"empty-file"}
    if content.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")):
        return None, {"byte-order-mark"}
    try:
        return content.decode(), set()
    except UnicodeDecodeError:
        return None, {"invalid-utf8"}


def nesting(text: str) -> int:
    """How many arrays and objects stand inside each other in JSON, or nearly; one beyond `HELD_LEVELS` for any more."""
    deepest = 0
    for depth in accumulate(_STEPS.get(character, 0) for character in _STRING.sub("", text)):
        deepest = max(deepest, depth)
        if deepest > HELD_LEVELS:
            break
    return deepest


def parsed(content: bytes) -> tuple[str, Any, set[str]]:
    """The text, its document or `NO_DOCUMENT`, and flags."""
    text, flags = decoded(content)
    if not text:
        return "", NO_DOCUMENT, flags
    if not text.strip():
        return text, NO_DOCUMENT, flags | {"whitespace-only"}
    if text.count("[") + text.count("{") > HELD_LEVELS and nesting(text) > HELD_LEVELS:
        return text, NO_DOCUMENT, flags | {"deep-nesting"}

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        document = dict(items)
        if len(document) < len(items):
            flags.add("duplicate-key")
        return document

    def constant(name: str) -> float:
        flags.add("json-constant")
        return float(name)

    try:
        return text, json.loads(text, object_pairs_hook=pairs, parse_constant=constant), flags
    except ValueError:
        return text, NO_DOCUMENT, {"many-digits" if re.search(r"\d{4301}", text) else "json-malformed"}
