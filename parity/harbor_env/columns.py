"""Convert rows to a Hugging Face `Dataset`. Each of its columns has one type, down to the fields of task.toml."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from parity.harbor_env.dataset import Row
from parity.harbor_env.errors import DatasetError, Mistake

if TYPE_CHECKING:
    from datasets import Dataset

type _Place = tuple[str, ...]

_EXACT = 2**53
"""The largest int up to which all are exact as floats. A column with ints and floats has only floats."""

_FLOAT, _LARGE = "a float", "an integer beyond 2**53"
_NUMBERS = {"a number", _FLOAT, _LARGE}


def to_dataset(rows: Sequence[Row]) -> "Dataset":
    """Return the rows as a dataset.

    Raises:
        DatasetError: a field has another type in another task, or a type that a dataset cannot hold.
    """
    # Imported here because it takes seconds, and only training needs it.
    from datasets import Dataset

    try:
        return Dataset.from_list(list(rows))
    except (ValueError, TypeError, ArithmeticError, NotImplementedError) as error:
        raise _explained(rows, error) from None


def _explained(rows: Sequence[Row], error: Exception) -> DatasetError:
    """Return an error for the first bad field: a number that is too large, undecodable text, or two types."""
    seen: dict[_Place, dict[str, str]] = {}
    for row in rows:
        folder = Path(row["info"]["task_dir"])
        if not _is_unicode(str(folder)):
            return DatasetError(Mistake.ENCODING, folder, "its name is not UTF-8; rename it")
        for place, value in _leaves(row["info"]["config"]):
            field = f"task.toml: {'.'.join(place)}"
            if isinstance(value, int) and not -(2**63) <= value < 2**63:
                return DatasetError(Mistake.TYPE, folder, f"{field} is beyond 64 bits; write a smaller number")
            kind, kinds = _kind(value), seen.setdefault(place, {})
            for other, task in kinds.items():
                if advice := _conflict(kind, other):
                    where = "in the same list" if task == row["task"] else f"in the task {task}"
                    what = f"{field} is {kind}, and {other} {where}; {advice}: a column of a dataset has one type"
                    return DatasetError(Mistake.MIXED_TYPES, folder, what)
            kinds.setdefault(kind, row["task"])
    folder = Path(rows[0]["info"]["task_dir"]).parent
    text = " ".join(str(error).split())
    mistake = Mistake.ENCODING if isinstance(error, UnicodeError) else Mistake.MIXED_TYPES
    return DatasetError(mistake, folder, f"its tasks do not fit into one dataset: {text}; write them alike")


def _is_unicode(text: str) -> bool:
    return not any("\ud800" <= char <= "\udfff" for char in text)


def _leaves(value: Any, place: _Place = ()) -> Iterator[tuple[_Place, object]]:
    """Yield all values, each with its field. The values of a list share one field."""
    yield place, value
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _leaves(item, (*place, key))
    elif isinstance(value, list):
        for item in value:
            yield from _leaves(item, (*place, "[]"))


def _conflict(one: str, other: str) -> str | None:
    """Return what to do about two kinds that do not fit into one column; None if they fit."""
    if {one, other} <= _NUMBERS:
        return "write both as strings" if {one, other} == {_FLOAT, _LARGE} else None
    return None if one == other else "write them alike"


def _kind(value: object) -> str:
    if type(value) is int:
        return _LARGE if abs(value) > _EXACT else "a number"
    names = {dict: "a table", list: "a list", str: "a string", bool: "a boolean", float: _FLOAT}
    return names.get(type(value), f"a {type(value).__name__}")
