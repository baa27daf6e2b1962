"""Bytes to text and text to JSON, with the flags of what is in the way."""

import json
import re
from typing import Any

NO_DOCUMENT: Any = object()
"""What `parsed` gives where there is no JSON document."""

_DEEP = 1000


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


def parsed(content: bytes) -> tuple[str, Any, set[str]]:
    """The text, its document or `NO_DOCUMENT`, and flags."""
    text, flags = decoded(content)
    if not text:
        return "", NO_DOCUMENT, flags
    if not text.strip():
        return text, NO_DOCUMENT, flags | {"whitespace-only"}
    if text.count("[") > _DEEP or text.count("{") > _DEEP:
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
