"""Turns records into plain JSON and back, by the types of their fields. Reading is strict about types and keys.

Unlike in cases, numbers are plain JSON, because they are counts and times, which need not be exact to the bit.
"""

from functools import cache
from typing import Annotated, Any

from pydantic import PlainValidator

from parity.operations.codec import READ_AS, Codec
from parity.operations.wire import Json, WireError

_BOUND = 10**300
"""Numbers of this size or more are refused. No report has such numbers, and they could not be added up or shown."""


def to_plain(record: Any) -> Any:
    """Return a record and everything in it as dicts and lists."""
    kind: Any = type(record)
    return _codec(kind).encode(record)


def from_plain(kind: type, value: Any) -> Any:
    """Parse plain JSON as a record of this type.

    Raises:
        WireError: the value is not such a record; the message names the place in it.
    """
    return _codec(kind).decode(value)


@cache
def _codec(kind: type) -> Codec[Any]:
    return Codec(kind, "", read_as=_READ_AS, write_scalar=lambda value: value)


def _read_int(value: Any) -> int:
    if type(value) is not int:
        raise WireError(f"must be a whole number, not {value!r:.60}")
    return int(_bounded(value))


def _read_float(value: Any) -> float:
    if type(value) not in (int, float):
        raise WireError(f"must be a number, not {value!r:.60}")
    return float(_bounded(value))


def _bounded(number: float) -> float:
    if abs(number) >= _BOUND:
        raise WireError("must be a number of at most 300 digits")
    return number


_READ_AS = {
    **READ_AS,
    int: Annotated[Any, PlainValidator(_read_int)],
    float: Annotated[Any, PlainValidator(_read_float)],
    Json: Any,
}
