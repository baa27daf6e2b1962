"""Decoding of bytes to text and of text to JSON, with flags for each difficulty."""

import json
import re
from typing import Any

from parity.operations.files.json_nesting import HELD_LEVELS, nesting

NO_DOCUMENT: Any = object()
"""The document that `parsed` returns if the text is not JSON."""


def decoded(content: bytes) -> tuple[str | None, set[str]]:
    """Return the text, or None if the bytes are not text, and flags."""
    if not content:
        return "", {"empty-file"}
    if content.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")):
        return None, {"byte-order-mark"}
    try:
        return content.decode(), set()
    except UnicodeDecodeError:
        return None, {"invalid-utf8"}


def parsed(content: bytes) -> tuple[str, Any, set[str]]:
    """Return the text, its document or `NO_DOCUMENT`, and flags."""
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
