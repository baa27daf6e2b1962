"""Writes a JSON document as Harbor writes its own, so that a transcript need not contain the text."""

import json
from decimal import Decimal
from json.encoder import encode_basestring
from typing import Any


def harbor_text(value: Any, line: str = "\n") -> str:
    """Return a parsed JSON document in the spelling and layout of pydantic's `model_dump_json(indent=4)`.

    Args:
        value: the document. Infinities and nan become null.
        line: a line break and the indentation of the line on which the document ends.
    """
    inner = f"{line}    "
    match value:
        case dict() if value:
            members = (f"{encode_basestring(key)}: {harbor_text(each, inner)}" for key, each in value.items())
            return f"{{{inner}{f',{inner}'.join(members)}{line}}}"
        case list() if value:
            return f"[{inner}{f',{inner}'.join(harbor_text(each, inner) for each in value)}{line}]"
        case str():
            return encode_basestring(value)
        case float():
            return _float_text(value)
    return json.dumps(value)


def _float_text(number: float) -> str:
    """Return a float with the digits of `repr`, and with an exponent from 1e16 and below 0.00001."""
    text = repr(number)
    if text.strip("-") in ("inf", "nan"):
        return "null"
    digits, _, exponent = text.partition("e")
    match exponent:
        case "":
            return digits
        case "-05":
            return f"{Decimal(text):f}"
    return f"{digits}e{int(exponent):+}"
