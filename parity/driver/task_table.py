"""Typed reading of task.toml's tables: values as Harbor's models take them, and errors that name the place."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from parity.scorer.number_text import lax_number


class TaskError(Exception):
    """A task that cannot be run; one line that says where, what, and what to do."""

    def __init__(self, folder: Path, what: str) -> None:
        super().__init__(f"{folder}: {what}")
        self.folder, self.what = folder, what


class InvalidTask(TaskError):
    """Harbor takes it for no task either: in a dataset it leaves the folder out."""


class UnsupportedTask(TaskError):
    """Harbor would run it, this driver cannot."""


class Table:
    """A table of task.toml and where it stands. Keys that nobody asks for are ignored, as Harbor ignores them."""

    def __init__(self, folder: Path, values: Mapping[str, Any], place: str = "") -> None:
        self.folder, self.values, self.place = folder, values, place

    def invalid(self, key: str, what: str) -> InvalidTask:
        """The error of a value that Harbor refuses too."""
        return InvalidTask(self.folder, f"task.toml: {self.name(key)} {what}")

    def unsupported(self, key: str, what: str) -> UnsupportedTask:
        """The error of a value that only this driver refuses."""
        return UnsupportedTask(self.folder, f"task.toml: {self.name(key)} {what}")

    def name(self, key: str) -> str:
        """A key with all tables that it is in."""
        return f"{self.place}.{key}" if self.place else key

    def table(self, key: str) -> "Table":
        """The table under a key, empty where there is none."""
        value = self.values.get(key, {})
        if not isinstance(value, dict):
            raise self.invalid(key, "is no table; write it as one")
        return Table(self.folder, value, self.name(key))

    def optional_table(self, key: str) -> "Table | None":
        """The table under a key, or None where there is none."""
        return self.table(key) if key in self.values else None

    def tables(self, key: str) -> list["Table"]:
        """The tables of an array under a key."""
        return [
            Table(self.folder, value, f"{self.name(key)}[{index}]")
            if isinstance(value, dict)
            else self._raise(self.invalid(f"{key}[{index}]", "is no table; write it as one"))
            for index, value in enumerate(self.list(key))
        ]

    @staticmethod
    def _raise(error: Exception) -> Any:
        raise error

    def list(self, key: str) -> Sequence[Any]:
        """The array under a key, empty where there is none."""
        value = self.values.get(key, [])
        if not isinstance(value, list):
            raise self.invalid(key, "is no array; write it as one")
        return value

    def text(self, key: str) -> str | None:
        """The string under a key."""
        value = self.values.get(key)
        if value is not None and not isinstance(value, str):
            raise self.invalid(key, f"is {_kind(value)}; write a string")
        return value

    def required_text(self, key: str) -> str:
        """The string under a key that must be there."""
        value = self.text(key)
        if value is None:
            raise self.invalid(key, "is missing; add it")
        return value

    def number(self, key: str) -> float | None:
        """The number under a key; a string that reads as one counts, as with pydantic."""
        value = self.values.get(key)
        if value is None:
            return None
        number = lax_number(value) if isinstance(value, str) else value
        if not isinstance(number, int | float):
            raise self.invalid(key, f"is {_kind(value)}; write a number")
        try:
            return float(number)
        except OverflowError:
            raise self.invalid(key, "is beyond a double; write a smaller number") from None

    def integer(self, key: str) -> int | None:
        """The whole number under a key; a float without a fraction counts."""
        value = self.values.get(key)
        number = lax_number(value) if isinstance(value, str) else value
        if isinstance(number, float) and number.is_integer():
            number = int(number)
        if value is not None and not isinstance(number, int):
            raise self.invalid(key, f"is {_kind(value)}; write a whole number")
        return None if number is None else int(number)

    def choice[Text: str](self, key: str, choices: tuple[Text, ...]) -> Text | None:
        """One of some strings."""
        value = self.text(key)
        for choice in choices:
            if value == choice:
                return choice
        if value is not None:
            raise self.invalid(key, f"is {value!r}; choose one of {', '.join(choices)}")
        return None

    def texts(self, key: str) -> dict[str, str]:
        """A table of strings under a key."""
        table = self.table(key)
        return {name: table.required_text(name) for name in table.values}


def _kind(value: object) -> str:
    kinds = {bool: "a boolean", int: "an integer", float: "a float", str: "a string", list: "an array", dict: "a table"}
    return kinds.get(type(value), "a date or time")
