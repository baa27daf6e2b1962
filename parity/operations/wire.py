"""Encodes exact values as plain JSON for golden files, replay files, and runners in other languages.

A number is encoded as `{"f64": sixteen hex digits}` or `{"int": decimal}`, so that no JSON library can round it or
confuse `1` with `1.0`. Bytes are encoded as `{"utf8": text}` or `{"hex": digits}`, with `"times": n` if the bytes
repeat one short piece, or as `{"join": [bytes, …]}` if only parts of them do. Everything else is plain JSON.
"""

import json
import re
import struct
from collections.abc import Mapping
from typing import Any

type Json = bool | int | str | list["Json"] | dict[str, "Json"] | None

_ENCODER = json.JSONEncoder(ensure_ascii=True, separators=(",", ":"), allow_nan=False)
_MOST_TIMES = 10_000_000
_LARGE = 1 << 14
"""The size of bytes, from which on repeated pieces inside them are encoded by `times`."""

_RUN = re.compile(rb"(.{1,16}?)\1{255,}", re.DOTALL)
_NAN = "7ff8000000000000"
_HEX = re.compile(r"[0-9a-f]{16}", re.ASCII)
_DECIMAL = re.compile(r"0|-?[1-9][0-9]*", re.ASCII)
_LONG = 10**4000
_MOST_DIGITS = 100_000
"""The largest allowed number of digits. Python reads fewer from a file, and this many are still converted quickly."""


class WireError(ValueError):
    """An error for JSON that does not follow the wire format; the message gives the place and the reason."""


def float_to_hex(number: float) -> str:
    """Return the sixteen hex digits of a double, big-endian; every nan becomes the same quiet nan."""
    return _NAN if number != number else struct.pack(">d", number).hex()


def float_from_hex(digits: str) -> float:
    """Return the double with these sixteen hex digits, in lower case."""
    if not _HEX.fullmatch(digits):
        raise WireError(f"f64 must have sixteen hex digits in lower case, not {digits!r:.60}")
    number: float = struct.unpack(">d", bytes.fromhex(digits))[0]
    return number


def encode(value: object) -> Json:
    """Encode a value as plain JSON. Integer keys become decimal strings.

    Raises:
        WireError: the wire format does not support the type of a value or key.
    """
    if isinstance(value, float):
        return {"f64": float_to_hex(value)}
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, int):
        return {"int": int_to_text(value)}
    if isinstance(value, list | tuple):
        return [encode(item) for item in value]
    if isinstance(value, dict | Mapping):  # the check for dict is the faster one
        return {_key(key): encode(item) for key, item in value.items()}
    raise WireError(f"{type(value).__name__} has no form on the wire")


def decode(value: Json) -> Any:
    """Decode a value. This is the inverse of `encode`, except that all keys stay strings.

    `Operation.decode_value` converts keys.

    Raises:
        WireError: a number is malformed.
    """
    if isinstance(value, list):
        return [decode(item) for item in value]
    if isinstance(value, dict):
        if len(value) == 1:
            ((kind, digits),) = value.items()
            if kind == "f64" and isinstance(digits, str):
                return float_from_hex(digits)
            if kind == "int" and isinstance(digits, str):
                return int_from_text(digits)
        return {key: decode(item) for key, item in value.items()}
    return value


def encode_bytes(content: bytes) -> dict[str, Json]:
    """Encode bytes as text if they are valid UTF-8, else as hex digits.

    Content of more than 64 bytes that repeats a piece of 1 to 4 bytes is encoded as this piece and `times`. Large
    content is encoded as a list of its parts if it contains long runs of a piece of 1 to 16 bytes.
    """
    for size in range(1, 5) if len(content) > 64 else ():
        times, rest = divmod(len(content), size)
        if not rest and content == content[:size] * times:
            return {**_encode_piece(content[:size]), "times": times}
    runs = list(_RUN.finditer(content)) if len(content) >= _LARGE else []
    if not runs:
        return _encode_piece(content)
    parts: list[Json] = []
    end = 0
    for run in runs:
        if run.start() > end:
            parts.append(_encode_piece(content[end : run.start()]))
        piece, end = run[1], run.end()
        parts.append({**_encode_piece(piece), "times": len(run[0]) // len(piece)})
    if end < len(content):
        parts.append(_encode_piece(content[end:]))
    return {"join": parts}


def _encode_piece(content: bytes) -> dict[str, Json]:
    try:
        return {"utf8": content.decode()}
    except UnicodeDecodeError:
        return {"hex": content.hex()}


def decode_bytes(value: Json) -> bytes:
    """Decode bytes; the inverse of `encode_bytes`.

    Raises:
        WireError: `utf8`, `hex` and `join` are missing, or they or `times` are malformed.
    """
    if isinstance(value, dict) and isinstance(parts := value.get("join"), list):
        return b"".join(map(_decode_piece, parts))
    return _decode_piece(value)


def _decode_piece(value: Json) -> bytes:
    if not isinstance(value, dict):
        raise WireError(f"bytes must be an object with utf8, hex or join, not {type(value).__name__}")
    text, digits, times = value.get("utf8"), value.get("hex"), value.get("times", 1)
    if not isinstance(times, int) or isinstance(times, bool) or not 1 <= times <= _MOST_TIMES:
        raise WireError(f"times must be a count from 1 to {_MOST_TIMES:,}, not {times!r}")
    if isinstance(text, str):
        try:
            return text.encode() * times
        except UnicodeEncodeError:
            raise WireError("utf8 must have no lone surrogates") from None
    if isinstance(digits, str):
        try:
            return bytes.fromhex(digits) * times
        except ValueError:
            raise WireError(f"hex must have pairs of hex digits, not {digits!r:.60}") from None
    raise WireError("bytes must have a string under utf8 or hex, or a list of such bytes under join")


def canonical(value: Json) -> str:
    """Write a value as one line of ASCII JSON. Equal values result in equal strings on every interpreter."""
    return _ENCODER.encode(value)


def int_to_text(value: int) -> str:
    """Return the decimal digits of an int, even if there are more than Python's limit of 4300."""
    if -_LONG < value < _LONG:
        return str(value)
    head, tail = divmod(abs(value), _LONG)
    return ("-" if value < 0 else "") + int_to_text(head) + str(tail).zfill(4000)


def int_from_text(digits: str) -> int:
    """Return the int with these decimal digits; the inverse of `int_to_text`."""
    if not _DECIMAL.fullmatch(digits):
        raise WireError(f"int must have decimal digits without leading zeros, not {digits!r:.60}")
    unsigned = digits.removeprefix("-")
    if len(unsigned) > _MOST_DIGITS:
        raise WireError(f"int must have at most {_MOST_DIGITS:,} digits, not {len(unsigned):,}")
    number = 0
    for start in range(0, len(unsigned), 4000):
        piece = unsigned[start : start + 4000]
        number = number * 10 ** len(piece) + int(piece)
    return -number if digits.startswith("-") else number


def _key(key: object) -> str:
    if isinstance(key, str):
        return key
    if isinstance(key, int) and not isinstance(key, bool):
        return str(key)
    raise WireError(f"a key of type {type(key).__name__} has no form on the wire")
