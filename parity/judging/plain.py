"""Turns records into plain JSON and back, by the types of their fields. Reading is strict: no other type or member."""

from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeAliasType, get_args, get_origin, get_type_hints

from parity.operations.wire import Json

_BOUND = 10**300
"""The bound of numbers that are read: larger ones, which no report has, could not be added up or shown."""


class ShapeError(ValueError):
    """A value is of the wrong type or form; the message names the place."""


def to_plain(value: Any) -> Any:
    """Return a record and everything in it as dicts and lists."""
    if is_dataclass(value):
        kind: Any = type(value)
        return {member: to_plain(getattr(value, name)) for member, name, _ in _members(kind)}
    if isinstance(value, tuple | list):
        return [to_plain(each) for each in value]
    if isinstance(value, dict):
        return {key: to_plain(each) for key, each in value.items()}
    return value


def from_plain(kind: Any, value: Any, place: str = "") -> Any:
    """Read plain JSON as a value of a kind: a dataclass, a type, or a union, tuple, dict or Literal of them.

    A type may be annotated with a pattern, which its text must match.

    Raises:
        ShapeError: the value is of another kind.
    """
    if kind is Json:
        return value
    if isinstance(kind, TypeAliasType):
        return from_plain(kind.__value__, value, place)
    read = _READERS.get(UnionType if isinstance(kind, UnionType) else get_origin(kind) or NoneType)
    if read is not None:
        return read(kind, value, place)
    if is_dataclass(kind):
        return _record(kind, value, place)
    if kind in (int, float) and type(value) is int:
        if abs(value) >= _BOUND:
            raise ShapeError(f"{place or 'the document'} takes a number of at most 300 digits")
        return kind(value)
    if type(value) is not kind:
        raise ShapeError(f"{place or 'the document'} takes {_name(kind)}, not {_name(type(value))}")
    return value


def _record(kind: Any, value: Any, place: str) -> Any:
    if not isinstance(value, dict):
        raise ShapeError(f"{place or 'the document'} takes an object, not {_name(type(value))}")
    members = _members(kind)
    names = {member for member, _, _ in members}
    for member in [*names - value.keys(), *value.keys() - names]:
        raise ShapeError(f"{place or 'the document'} {'lacks' if member in names else 'has no place for'} {member!r}")
    return kind(**{name: from_plain(hint, value[member], _at(place, member)) for member, name, hint in members})


def _union(kind: Any, value: Any, place: str) -> Any:
    """Read a value of a type, or None; records have no other unions."""
    if value is None:
        return None
    (some,) = (each for each in get_args(kind) if each is not NoneType)
    return from_plain(some, value, place)


def _literal(kind: Any, value: Any, place: str) -> Any:
    if not isinstance(value, str) or value not in get_args(kind):
        raise ShapeError(f"{place} takes one of {', '.join(map(repr, get_args(kind)))}, not {value!r:.60}")
    return value


def _annotated(kind: Any, value: Any, place: str) -> Any:
    base, pattern = get_args(kind)
    text = from_plain(base, value, place)
    if not pattern.fullmatch(text):
        raise ShapeError(f"{place} takes text of the form {pattern.pattern}, not {text!r:.60}")
    return text


def _tuple(kind: Any, value: Any, place: str) -> Any:
    if not isinstance(value, list):
        raise ShapeError(f"{place} takes an array, not {_name(type(value))}")
    return tuple(from_plain(get_args(kind)[0], each, f"{place}[{index}]") for index, each in enumerate(value))


def _dict(kind: Any, value: Any, place: str) -> Any:
    if not isinstance(value, dict):
        raise ShapeError(f"{place} takes an object, not {_name(type(value))}")
    return {key: from_plain(get_args(kind)[1], each, _at(place, key)) for key, each in value.items()}


_READERS: dict[Any, Callable[[Any, Any, str], Any]] = {
    UnionType: _union,
    Literal: _literal,
    Annotated: _annotated,
    tuple: _tuple,
    dict: _dict,
}
_NAMES = {str: "text", int: "a whole number", float: "a number", bool: "true or false", NoneType: "null"}
_NAMES |= {dict: "an object", list: "an array"}


@cache
def _members(kind: Any) -> tuple[tuple[str, str, Any], ...]:
    """Return the name in JSON, the name in Python and the type of each field."""
    return tuple(_described(kind))


def _described(kind: Any) -> Iterator[tuple[str, str, Any]]:
    hints = get_type_hints(kind)
    for field in fields(kind):
        yield field.name.removesuffix("_"), field.name, hints[field.name]


def _name(kind: Any) -> str:
    return _NAMES.get(kind, getattr(kind, "__name__", str(kind)))


def _at(place: str, member: str) -> str:
    return f"{place}.{member}" if place else member
