"""Turns records into plain JSON and back, by the types of their fields. Reading is strict about types and keys.

Unlike in cases, numbers are plain JSON, because they are counts and times, which need not be exact to the bit.
"""

from functools import cache
from typing import Any, cast

from pydantic import TypeAdapter, ValidationError

from parity.operations.codec import first_problem
from parity.operations.wire import WireError


def to_plain(record: Any) -> Any:
    """Return a record and everything in it as dicts and tuples of JSON's scalars, without fields at their default."""
    kind: Any = type(record)
    return _adapter(kind).dump_python(record, by_alias=True, exclude_defaults=True)


def from_plain[Record](kind: type[Record], value: Any) -> Record:
    """Parse plain JSON as a record of this type.

    Raises:
        WireError: the value is not such a record; the message names the place in it.
    """
    of_kind: Any = kind
    try:
        return cast("Record", _adapter(of_kind).validate_python(value))
    except ValidationError as error:
        raise WireError(first_problem(error)) from None


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)
