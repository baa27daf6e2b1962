"""Flags of `read_reward`: why a case is hard."""

import math
import re
from typing import Any

from parity.operations.files.json_content import NO_DOCUMENT, decoded, parsed
from parity.operations.files.json_nesting import HELD_LEVELS, nesting
from parity.operations.read_reward.case import RewardFolder
from parity.operations.rule import carried
from parity.scorer.number_text import lax_number, plain_new_digits

FLAGS = {
    "json-over-txt": "both files exist, reward.txt perhaps as a link to nothing",
    "no-reward-file": "neither file exists",
    "missing-folder": "the verifier folder does not exist",
    "file-as-folder": "the verifier folder is a file",
    "unsearchable-folder": "the verifier folder may not be searched",
    "linked-folder": "the verifier folder is a link to a folder elsewhere",
    "odd-folder-name": "the verifier folder lies in a folder with a long name, or with unusual characters in it",
    "other-files": "other files lie beside the reward files, some of them with nearly the same names",
    "symlink": "a reward file is a link to a file or a folder elsewhere",
    "dangling-link": "a reward file is a link to nothing",
    "looping-link": "a reward file is a link to itself",
    "directory": "a reward file is a directory, or a link to one",
    "fifo": "a reward file is a named pipe; opening it would block for ever",
    "device": "a reward file is a link to a device, which has size zero",
    "socket": "a reward file is a socket",
    "unreadable": "a reward file may not be read",
    "large-file": "the file that counts has more than a MiB",
    "empty-file": "the file that counts has no bytes",
    "whitespace-only": "the file that counts has nothing but white space",
    "invalid-utf8": "the bytes of the file that counts are not UTF-8",
    "byte-order-mark": "the file that counts starts with the byte order mark of UTF-8 or UTF-16",
    "nul-character": "reward.txt holds a NUL",
    "text-malformed": "reward.txt is text, but no number",
    "text-padding": "the number in reward.txt has ASCII white space around it",
    "text-unicode-padding": "the number in reward.txt has other Unicode white space around it",
    "separator-control": "reward.txt holds U+001C to U+001F, white space to `str.strip` but not to `float`",
    "unicode-digits": "reward.txt holds decimal digits beyond 0 to 9",
    "text-underscore": "the number in reward.txt holds an underscore",
    "text-exponent": "the number in reward.txt has an exponent",
    "text-bare-point": "the number in reward.txt has no digit before or after its point",
    "text-plus": "the number in reward.txt starts with a plus sign",
    "long-decimal": "a number has more digits than a double holds, so it must be rounded correctly",
    "non-finite": "a reward is nan or infinite",
    "outside-unit-interval": "a reward is negative or above 1",
    "negative-zero": "a number is -0.0",
    "subnormal-value": "a number is smaller than the smallest normal double",
    "json-malformed": "reward.json is text, but not JSON",
    "json-not-object": "reward.json is JSON, but neither an object nor null",
    "null-document": "reward.json is `null`",
    "empty-object": "reward.json is `{}`",
    "json-constant": "reward.json spells NaN, Infinity or -Infinity, which JSON does not have",
    "many-digits": "reward.json holds an integer of more than 4300 digits",
    "nested-hundreds": "reward.json is nested 200 to 1300 levels deep, which every interpreter parses",
    "deep-nesting": "reward.json is nested far deeper than the interpreter's stack allows",
    "duplicate-key": "an object in reward.json names a key twice",
    "lone-surrogate": "a key holds half of a surrogate pair",
    "integer-like-key": "a key looks like an integer, which some languages sort first",
    "unusual-key": "a key is not `reward`",
    "several-keys": "more than one reward key",
    "many-keys": "more than 16 reward keys",
    "long-key": "a key of more than 64 characters",
    "unsorted-keys": "keys that do not come in code point order",
    "bool-value": "a value is true or false",
    "int-value": "a value is an integer",
    "float-value": "a value is a float",
    "null-value": "a value is null",
    "nested-value": "a value is an array or an object",
    "bad-string": "a value is a string that does not read as a number",
    "number-string": "a value is a string that pydantic reads as a float",
    "integer-string": "a value is a string that pydantic reads as an int, because it is no float",
    "string-underscore": "a numeric string holds an underscore",
    "string-padding": "a numeric string has white space around it",
    "int-beyond-2**53": "an int that a double cannot hold exactly",
}

_FOLDER_FLAGS = {"absent": "missing-folder", "file": "file-as-folder", "unsearchable": "unsearchable-folder"}

_KIND_FLAGS = {"absent": set(), "file": set(), "link": {"symlink"}, "link-to-directory": {"symlink", "directory"}}
"""The flags of the kinds of files that are not flags themselves."""

_PLAIN_NAME = re.compile(r"(\w[\w.-]{0,63})?", re.ASCII)

_LARGE = 1 << 20
"""A file with more bytes is large."""


def flags_of(case: RewardFolder) -> frozenset[str]:
    """Return the flags that a case carries."""
    flags = carried(
        {
            "odd-folder-name": not _PLAIN_NAME.fullmatch(case.within),
            "linked-folder": case.folder == "link",
            "other-files": case.others and case.folder not in _FOLDER_FLAGS,
        }
    )
    if case.folder in _FOLDER_FLAGS:
        return frozenset(flags | {_FOLDER_FLAGS[case.folder]})
    for state in (case.json,) if case.json.exists else (case.json, case.text):
        flags |= _KIND_FLAGS.get(state.kind, {state.kind})
    flags |= carried(
        {
            "json-over-txt": case.json.exists and case.text.kind != "absent",
            "no-reward-file": not (case.json.exists or case.text.exists),
        }
    )
    counts, content_flags = (case.json, json_flags) if case.json.exists else (case.text, text_flags)
    if counts.kind in ("file", "link"):
        flags |= content_flags(counts.content) | carried({"large-file": len(counts.content) > _LARGE})
    return frozenset(flags)


_ASCII_PADDING = " \t\n\r\x0b\x0c"

_EXPONENT = re.compile(r"\de[+-]?\d", re.IGNORECASE)

_BARE_POINT = re.compile(r"(?<![\d_])\.\d|\d\.(?!\d)")

_LONG_DIGITS = re.compile(r"\d[\d_.]{17,}")

_SEPARATOR = re.compile("[\x1c-\x1f]")

_OTHER_DIGIT = re.compile(r"[^\D0-9]")

_HUNDREDS = 200


def text_flags(content: bytes) -> set[str]:
    """Return the flags of a reward.txt, given its content."""
    text, flags = decoded(content)
    if text is None or not text:
        return flags
    if not text.strip():
        return flags | {"whitespace-only"}
    core = text.strip(_ASCII_PADDING)
    plain = plain_new_digits(text)  # flags do not depend on the interpreter
    flags |= carried(
        {
            "text-padding": text[0] in _ASCII_PADDING or text[-1] in _ASCII_PADDING,
            "text-unicode-padding": core != core.strip(),
            "separator-control": _SEPARATOR.search(text),
            "unicode-digits": plain != text or (not text.isascii() and _OTHER_DIGIT.search(text)),
            "nul-character": "\0" in text,
        }
    )
    try:
        number = float(plain)
    except ValueError:
        return flags | {"text-malformed"}
    return flags | _spelling_flags(core) | _float_flags(number)


def _spelling_flags(core: str) -> set[str]:
    # Regular expressions are slow on megabytes of digits, so they run only if they can match.
    return carried(
        {
            "text-underscore": "_" in core,
            "text-exponent": ("e" in core or "E" in core) and _EXPONENT.search(core),
            "text-bare-point": "." in core and _BARE_POINT.search(core),
            "text-plus": core.startswith("+"),
            "long-decimal": _LONG_DIGITS.search(core),
        }
    )


def _float_flags(number: float) -> set[str]:
    finite = math.isfinite(number)
    return carried(
        {
            "non-finite": not finite,
            "outside-unit-interval": finite and not 0 <= number <= 1,
            "negative-zero": number == 0 and math.copysign(1, number) < 0,
            "subnormal-value": 0 < abs(number) < 2.2250738585072014e-308,
        }
    )


def json_flags(content: bytes) -> set[str]:
    """Return the flags of a reward.json, given its content."""
    text, document, flags = parsed(content)
    if text.count("[") + text.count("{") >= _HUNDREDS and _HUNDREDS <= nesting(text) <= HELD_LEVELS:
        flags.add("nested-hundreds")
    if document is NO_DOCUMENT:
        return flags
    if not isinstance(document, dict):
        return flags | {"null-document" if document is None else "json-not-object"}
    flags |= carried({"long-decimal": _LONG_DIGITS.search(text)})
    return flags.union(_key_flags(document), *map(_value_flags, document.values()))


def _key_flags(document: dict[str, Any]) -> set[str]:
    return carried(
        {
            "empty-object": not document,
            "several-keys": len(document) > 1,
            "many-keys": len(document) > 16,
            "long-key": any(len(key) > 64 for key in document),
            "unusual-key": any(key != "reward" for key in document),
            "unsorted-keys": list(document) != sorted(document),
            "integer-like-key": any(key.isascii() and key.isdigit() for key in document),
            "lone-surrogate": any("\ud800" <= character <= "\udfff" for key in document for character in key),
        }
    )


def _value_flags(value: object) -> set[str]:
    match value:
        case None:
            return {"null-value"}
        case bool():
            return {"bool-value"}
        case int():
            beyond = {"outside-unit-interval": not 0 <= value <= 1, "int-beyond-2**53": abs(value) > 2**53}
            return {"int-value"} | carried(beyond)
        case float():
            return {"float-value"} | _float_flags(value)
        case str():
            return _string_flags(value)
    return {"nested-value"}


def _string_flags(value: str) -> set[str]:
    number = lax_number(value)
    if number is None:
        return {"bad-string"}
    spelling = {"string-underscore": "_" in value, "string-padding": value != value.strip()}
    return {"number-string" if isinstance(number, float) else "integer-string"} | carried(spelling)
