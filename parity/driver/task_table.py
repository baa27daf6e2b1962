"""Typed reading of task.toml: for each type a reader, which takes a value as pydantic's lax mode does.

A reader is given a value and its place; a `Shape` reads a table, member by member. What Harbor's models refuse is an
`InvalidTask`. As with pydantic, one invalid member does not keep the others from being read: a `FatalTask` among them
counts before it. Rules: `run-trial/lax-values`, `run-job/left-out`.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from parity.driver.sandbox import User
from parity.scorer.number_text import lax_float, lax_truth, lax_whole

type TomlTable = dict[str, Any]
"""A table of task.toml."""


class TaskError(Exception):
    """A task that cannot be run; one line that says where, what, and what to do."""

    def __init__(self, folder: Path, what: str) -> None:
        super().__init__(f"{folder}: {what}")
        self.folder, self.what = folder, what


class InvalidTask(TaskError):
    """Harbor takes it for no task either: in a dataset it leaves the folder out."""


class FatalTask(TaskError):
    """Harbor ends the whole job with an error because of it, in a dataset too."""


class UnsupportedTask(TaskError):
    """Harbor would run it, this driver cannot."""


@dataclass(frozen=True)
class Note:
    """Something that is read otherwise than it is written."""

    key: str
    value: Any
    read: Any = None
    """What it is taken for."""

    known: tuple[str, ...] = ()
    """The keys that there are, where this is none of them, and is ignored."""


@dataclass(frozen=True)
class Place:
    """Where a value stands: in which task's folder, and under which keys."""

    folder: Path
    name: str = ""
    notes: list[Note] | None = None
    """Takes what is read otherwise than it is written, where somebody wants to know."""

    def at(self, key: str) -> "Place":
        """The place of a member of the table here."""
        return Place(self.folder, f"{self.name}.{key}" if self.name else key, self.notes)

    def item(self, index: int) -> "Place":
        """The place of an item of the array here."""
        return Place(self.folder, f"{self.name}[{index}]", self.notes)

    def converted[Value](self, value: Any, read: Value) -> Value:
        """Note that a value is taken for another one, if it is; the other one."""
        if self.notes is not None and isinstance(value, str | bool) and type(value) is not type(read):
            self.notes.append(Note(self.name, value, read))
        return read

    def ignored(self, key: str, value: Any, known: Iterable[str]) -> None:
        """Note that a key of the table here is none that there is."""
        if self.notes is not None:
            self.notes.append(Note(self.at(key).name, value, known=tuple(known)))

    def invalid(self, what: str) -> InvalidTask:
        """The error of a value that Harbor refuses too."""
        return InvalidTask(self.folder, f"task.toml: {self.name} {what}")

    def fatal(self, what: str) -> FatalTask:
        """The error of a value that ends Harbor's job."""
        return FatalTask(self.folder, f"task.toml: {self.name} {what}")


type Reader[Value] = Callable[[Place, Any], Value]
"""Takes a value and its place. Raises InvalidTask where Harbor refuses the value."""


def anything(place: Place, value: Any) -> Any:
    """A value of any type."""
    return value


def text(place: Place, value: Any) -> str:
    """A string, and nothing that only reads as one."""
    if not isinstance(value, str):
        raise place.invalid(f"is {_kind(value)}; write a string")
    return value


def boolean(place: Place, value: Any) -> bool:
    """A boolean, the numbers 0 and 1, or a word for yes or no in any case."""
    # Rule: run-trial/lax-values
    if (read := lax_truth(value)) is None:
        raise place.invalid(f"is {_kind(value)}; write true or false")
    return place.converted(value, read)


def number(place: Place, value: Any) -> float:
    """A float; an int within its range, a boolean, and a string that reads as a float become one."""
    # Rule: run-trial/lax-values
    read = lax_float(value) if isinstance(value, str) else value
    if not isinstance(read, int | float):
        raise place.invalid(f"is {_kind(value)}; write a number")
    try:
        return place.converted(value, float(read))
    except OverflowError:
        raise place.invalid("is beyond a double; write a smaller number") from None


def integer(place: Place, value: Any) -> int:
    """An int of any size; a boolean, a whole float within 64 bits, and a string that reads as an int become one."""
    # Rule: run-trial/lax-values
    if (read := lax_whole(value)) is None:
        raise place.invalid(f"is {_kind(value)}; write a whole number")
    return place.converted(value, read)


def user(place: Place, value: Any) -> User:
    """The name of a user, also one of digits, or the number of one."""
    return value if isinstance(value, str) else integer(place, value)


def choice[Word: str](*words: Word) -> Reader[Word]:
    """One of some strings."""

    def read(place: Place, value: Any) -> Word:
        given = text(place, value)
        for word in words:
            if given == word:
                return word
        raise place.invalid(f"is {given!r}; choose one of {', '.join(words)}")

    return read


def array[Value](reader: Reader[Value]) -> Reader[tuple[Value, ...]]:
    """An array of such values."""

    def read(place: Place, value: Any) -> tuple[Value, ...]:
        if not isinstance(value, list):
            raise place.invalid(f"is {_kind(value)}; write an array")
        return tuple(_read_all((index, reader, place.item(index), item) for index, item in enumerate(value)).values())

    return read


def table[Value](reader: Reader[Value]) -> Reader[dict[str, Value]]:
    """A table of such values, under keys of any name."""

    def read(place: Place, value: Any) -> dict[str, Value]:
        return _read_all((key, reader, place.at(key), member) for key, member in _as_table(place, value).items())

    return read


@dataclass(frozen=True)
class Member:
    """A key of a table."""

    read: Reader[Any]
    to: str | None = None
    """Name of the argument that takes it; None where it is checked and then not needed."""

    required: bool = False


@dataclass(frozen=True)
class Shape[Model]:
    """A table with known keys, as a reader; other keys are ignored, as Harbor ignores them."""

    make: Callable[..., Model]
    """Takes the members that are there, as keyword arguments; its defaults are those of the others."""

    members: Mapping[str, Member]
    prepare: Callable[[Place, TomlTable], TomlTable] = field(default=lambda place, given: given, kw_only=True)
    """Brings deprecated keys into today's form before anything is read."""

    check: Callable[[Place, Mapping[str, Any]], None] = field(default=lambda place, values: None, kw_only=True)
    """Holds the members, once all are read, to each other."""

    def __call__(self, place: Place, value: Any) -> Model:
        given = self.prepare(place, _as_table(place, value))
        for key in given.keys() - self.members.keys():
            place.ignored(key, given[key], self.members)
        values = _read_all(
            (key, member.read if key in given else _missing, place.at(key), given.get(key))
            for key, member in self.members.items()
            if key in given or member.required
        )
        self.check(place, values)
        named = ((self.members[key].to, value) for key, value in values.items())
        return self.make(**{name: value for name, value in named if name is not None})


def _read_all[Key, Value](members: Iterable[tuple[Key, Reader[Value], Place, Any]]) -> dict[Key, Value]:
    """What each reader makes of its value; the first InvalidTask is raised when all are read."""
    read: dict[Key, Value] = {}
    errors: list[InvalidTask] = []
    for key, reader, place, value in members:
        try:
            read[key] = reader(place, value)
        except InvalidTask as error:
            errors.append(error)
    if errors:
        raise errors[0]
    return read


def _missing(place: Place, value: Any) -> Any:
    raise place.invalid("is missing; add it")


def _as_table(place: Place, value: Any) -> TomlTable:
    if not isinstance(value, dict):
        raise place.invalid("is no table; write it as one")
    return value


def _kind(value: object) -> str:
    kinds = {bool: "a boolean", int: "an integer", float: "a float", str: "a string", list: "an array", dict: "a table"}
    return kinds.get(type(value), "a date or time")
