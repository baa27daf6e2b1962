"""Flags of a reward file's bytes: which corner of the two grammars it reaches."""

import math
import re
from typing import Any

from parity.operations.json_content import HELD_LEVELS, NO_DOCUMENT, decoded, nesting, parsed
from parity.scorer.number_text import lax_number, plain_new_digits

_ASCII_PADDING = " \t\n\r\x0b\x0c"
_EXPONENT = re.compile(r"\de[+-]?\d", re.IGNORECASE)
_BARE_POINT = re.compile(r"(?<![\d_])\.\d|\d\.(?!\d)")
_LONG_DIGITS = re.compile(r"\d[\d_.]{17,}")
_HUNDREDS = 200


def text_flags(content: bytes) -> frozenset[str]:
    """Flags of reward.txt."""
    text, flags = decoded(content)
    if text is None or not text:
        return frozenset(flags)
    if not text.strip():
        return frozenset(flags | {"whitespace-only"})
    if text[0] in _ASCII_PADDING or text[-1] in _ASCII_PADDING:
        flags.add("text-padding")
    core = text.strip(_ASCII_PADDING)
    if core != core.strip():
        flags.add("text-unicode-padding")
    if any("\x1c" <= character <= "\x1f" for character in text):
        flags.add("separator-control")
    plain = plain_new_digits(text)  # flags do not depend on the interpreter
    if plain != text or any(character.isdecimal() and not character.isascii() for character in text):
        flags.add("unicode-digits")
    if "\0" in text:
        flags.add("nul-character")
    try:
        number = float(plain)
    except ValueError:
        return frozenset(flags | {"text-malformed"})
    return frozenset(flags | _spelling_flags(core) | _float_flags(number))


def _spelling_flags(core: str) -> set[str]:
    flags = set()
    if "_" in core:
        flags.add("text-underscore")
    if _EXPONENT.search(core):
        flags.add("text-exponent")
    if _BARE_POINT.search(core):
        flags.add("text-bare-point")
    if core.startswith("+"):
        flags.add("text-plus")
    if _LONG_DIGITS.search(core):
        flags.add("long-decimal")
    return flags


def _float_flags(number: float) -> set[str]:
    if not math.isfinite(number):
        return {"non-finite"}
    flags = set()
    if not 0 <= number <= 1:
        flags.add("outside-unit-interval")
    if number == 0 and math.copysign(1, number) < 0:
        flags.add("negative-zero")
    if 0 < abs(number) < 2.2250738585072014e-308:
        flags.add("subnormal-value")
    return flags


def json_flags(content: bytes) -> frozenset[str]:
    """Flags of reward.json."""
    text, document, flags = parsed(content)
    if text.count("[") + text.count("{") >= _HUNDREDS and _HUNDREDS <= nesting(text) <= HELD_LEVELS:
        flags.add("nested-hundreds")
    if document is NO_DOCUMENT:
        return frozenset(flags)
    if document is None:
        return frozenset(flags | {"null-document"})
    if not isinstance(document, dict):
        return frozenset(flags | {"json-not-object"})
    if _LONG_DIGITS.search(text):
        flags.add("long-decimal")
    return frozenset(flags | _key_flags(document) | _value_flags(document))


def _key_flags(document: dict[str, Any]) -> set[str]:
    flags = set()
    if not document:
        flags.add("empty-object")
    if len(document) > 1:
        flags.add("several-keys")
    if len(document) > 16:
        flags.add("many-keys")
    if any(len(key) > 64 for key in document):
        flags.add("long-key")
    if any(key != "reward" for key in document):
        flags.add("unusual-key")
    if list(document) != sorted(document):
        flags.add("unsorted-keys")
    if any(key.isascii() and key.isdigit() for key in document):
        flags.add("integer-like-key")
    if any("\ud800" <= character <= "\udfff" for key in document for character in key):
        flags.add("lone-surrogate")
    return flags


def _value_flags(document: dict[str, Any]) -> set[str]:
    flags: set[str] = set()
    for value in document.values():
        if value is None:
            flags.add("null-value")
        elif isinstance(value, bool):
            flags.add("bool-value")
        elif isinstance(value, int):
            flags |= _int_flags(value)
        elif isinstance(value, float):
            flags |= {"float-value", *_float_flags(value)}
        elif isinstance(value, str):
            flags |= _string_flags(value)
        else:
            flags.add("nested-value")
    return flags


def _int_flags(value: int) -> set[str]:
    flags = {"int-value"}
    if not 0 <= value <= 1:
        flags.add("outside-unit-interval")
    if abs(value) > 2**53:
        flags.add("int-beyond-2**53")
    return flags


def _string_flags(value: str) -> set[str]:
    number = lax_number(value)
    if number is None:
        return {"bad-string"}
    flags = {"number-string"} if isinstance(number, float) else {"integer-string"}
    if "_" in value:
        flags.add("string-underscore")
    if value != value.strip():
        flags.add("string-padding")
    return flags
