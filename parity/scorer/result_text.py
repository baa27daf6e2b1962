"""Write JSON as Harbor writes result.json, like pydantic's `model_dump_json(indent=4)`. Rules: `result-text/*`.

Numbers have different formats as values and as keys. An object that repeats a key is an `ObjectPairs`, because a dict
cannot repeat one.
"""

import math
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from json.encoder import encode_basestring

from parity.scorer.values import Number

type Tree = bool | int | float | str | list[Tree] | Mapping[str, Tree] | ObjectPairs | None
"""A JSON value that can be written."""


@dataclass(frozen=True)
class ObjectPairs:
    """The keys and values of a JSON object in order, which may repeat a key."""

    pairs: Sequence[tuple[str, Tree]]


_INDENT = "    "
_SURROGATE = re.compile("[\ud800-\udfff]")


def json_text(tree: Tree, depth: int = 0) -> str:
    """Return a tree as JSON, without a line break at the end. Its lines are indented for a tree at level `depth`.

    Raises:
        UnicodeEncodeError: a string that is not a key contains an unpaired surrogate.
    """
    pieces: list[str] = []
    # Rules: job-stats/layout, run-job/document-layout, run-job/texts
    _append(pieces, tree, "\n" + _INDENT * depth)
    return "".join(pieces)


def _append(pieces: list[str], tree: Tree, line: str) -> None:
    if tree is None:
        pieces.append("null")
    elif isinstance(tree, str):
        tree.encode()
        pieces.append(_quoted(tree))
    # Rule: run-job/duplicate-key
    elif type(tree) is dict or isinstance(tree, Mapping):
        _append_object(pieces, tree.items(), line)
    elif isinstance(tree, ObjectPairs):
        _append_object(pieces, tree.pairs, line)
    elif isinstance(tree, list):
        inner = line + _INDENT
        separator = "[" + inner
        for each in tree:
            pieces.append(separator)
            _append(pieces, each, inner)
            separator = "," + inner
        pieces.append(line + "]" if tree else "[]")
    elif isinstance(tree, bool):
        pieces.append("true" if tree else "false")
    else:
        pieces.append(value_text(tree))


def _append_object(pieces: list[str], pairs: Collection[tuple[str, Tree]], line: str) -> None:
    inner = line + _INDENT
    separator = "{" + inner
    for key, value in pairs:
        pieces.append(f"{separator}{_quoted_key(key)}: ")
        if value is None:
            pieces.append("null")
        else:
            _append(pieces, value, inner)
        separator = "," + inner
    pieces.append(line + "}" if pairs else "{}")


@lru_cache(1024)
def _quoted_key(key: str) -> str:
    return _quoted(writable_key(key))


def writable_key(key: str) -> str:
    """Return a key that UTF-8 can encode: each unpaired surrogate is replaced with three replacement characters."""
    # Rule: result-text/surrogates
    return key if key.isascii() else _SURROGATE.sub("\ufffd" * 3, key)


def _quoted(text: str) -> str:
    """Quote a string. Only quotes, backslashes and control characters are escaped."""
    # Rules: result-text/escapes, result-text/unescaped, run-job/document-spelling
    return encode_basestring(text)


def value_text(number: Number) -> str:
    """Return the text of a number as a JSON value. nan and infinities become null.

    The digits are those of `repr`. Numbers from 0.00001 to below 1e16 are written without an exponent. Exponents have
    a sign and no leading zero, as Rust's formatter writes them: 1e+16, 1e-7.
    """
    # Rule: result-text/big-integers
    if isinstance(number, int):
        return str(Decimal(number))  # `str` refuses ints of more than 4300 digits
    # Rules: result-text/non-finite-values, run-job/document-spelling
    if not math.isfinite(number):
        return "null"
    mantissa, _, exponent = repr(number).partition("e")
    if not exponent:
        return mantissa
    # Rule: result-text/float-values
    if exponent == "-05":
        sign = "-" if number < 0 else ""
        return f"{sign}0.0000{mantissa.lstrip('-').replace('.', '')}"
    return f"{mantissa}e{int(exponent):+d}"


def key_text(number: Number) -> str:
    """Return the text of a number as a key of an object: Python's `str`, such as `nan`, `inf` and `1e-05`."""
    # Rule: job-stats/float-keys
    return str(number)
