"""Rows to a Hugging Face `Dataset`, whose columns hold one type each, down to the fields of task.toml."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from parity.harbor_env.dataset import Row
from parity.harbor_env.errors import DatasetError, Mistake

if TYPE_CHECKING:
    from datasets import Dataset

type _Place = tuple[str, ...]

_NUMBERS = (int, float)
_EXACT = 2**53
"""Ints up to here are as exact as floats, which a column of both consists of."""


def to_dataset(rows: Sequence[Row]) -> "Dataset":
    """The rows as a dataset.

    Raises:
        DatasetError: a field has another type in another task, or one that a dataset cannot hold.
    """
    # Takes seconds to import, and only who trains needs it.
    from datasets import Dataset

    try:
        return Dataset.from_list(list(rows))
    except (ValueError, TypeError, ArithmeticError, NotImplementedError) as error:
        raise _explained(rows, error) from None


def _explained(rows: Sequence[Row], error: Exception) -> DatasetError:
    """The first field at fault: too large a number, a text that is none, or two types."""
    first: dict[_Place, tuple[object, str]] = {}
    numbers: dict[_Place, dict[str, str]] = {}
    for row in rows:
        folder = Path(row["info"]["task_dir"])
        if not _is_unicode(str(folder)):
            return DatasetError(Mistake.ENCODING, folder, "its name is not UTF-8; rename it")
        for place, value in _leaves(row["info"]["config"]):
            field = f"task.toml: {'.'.join(place)}"
            if isinstance(value, int) and not -(2**63) <= value < 2**63:
                return DatasetError(Mistake.TYPE, folder, f"{field} is beyond 64 bits; write a smaller number")
            known, task = first.setdefault(place, (value, row["task"]))
            if _kind(known) != _kind(value):
                where = "in the same list" if task == row["task"] else f"in the task {task}"
                what = f"{field} is {_kind(value)}, and {_kind(known)} {where}; write them alike, as a dataset needs it"
                return DatasetError(Mistake.MIXED_TYPES, folder, what)
            if (kind := _number_kind(value)) is not None:
                tasks = numbers.setdefault(place, {})
                tasks.setdefault(kind, row["task"])
                if len(tasks) > 1:
                    other, there = next((each, task) for each, task in tasks.items() if each != kind)
                    where = "in the same list" if there == row["task"] else f"in the task {there}"
                    what = f"{field} is {kind}, and {other} {where}; write both as strings, as a dataset needs it"
                    return DatasetError(Mistake.MIXED_TYPES, folder, what)
    folder = Path(rows[0]["info"]["task_dir"]).parent
    text = " ".join(str(error).split())
    mistake = Mistake.ENCODING if isinstance(error, UnicodeError) else Mistake.MIXED_TYPES
    return DatasetError(mistake, folder, f"its tasks do not go into one dataset: {text}; write them alike")


def _is_unicode(text: str) -> bool:
    return not any("\ud800" <= char <= "\udfff" for char in text)


def _leaves(value: Any, place: _Place = ()) -> Iterator[tuple[_Place, object]]:
    """All values with the fields that lead to them; those of a list share theirs."""
    yield place, value
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _leaves(item, (*place, key))
    elif isinstance(value, list):
        for item in value:
            yield from _leaves(item, (*place, "[]"))


def _number_kind(value: object) -> str | None:
    """Of two that do not go into one column."""
    if isinstance(value, float):
        return "a float"
    return "an integer beyond 2**53" if type(value) is int and abs(value) > _EXACT else None


def _kind(value: object) -> str:
    if isinstance(value, _NUMBERS) and not isinstance(value, bool):
        return "a number"
    names = {dict: "a table", list: "a list", str: "a string", bool: "a boolean"}
    return names.get(type(value), f"a {type(value).__name__}")
