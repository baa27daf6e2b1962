"""Convert rows to a Hugging Face `Dataset`. Each of its columns has one type, down to the fields of task.toml."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from parity.harbor_env.dataset import Row
from parity.harbor_env.errors import DatasetError, Mistake

if TYPE_CHECKING:
    from datasets import Dataset


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
    """Return an error for the first name that is not UTF-8, number beyond 64 bits, or field of two types."""
    types: dict[str, tuple[str, str]] = {}
    for row in rows:
        folder = Path(row["info"]["task_dir"])
        if any("\ud800" <= char <= "\udfff" for char in str(folder)):
            return DatasetError(Mistake.ENCODING, folder, "its name is not UTF-8; rename it")
        for field, value in _fields(row["info"]["config"]):
            if isinstance(value, int) and not -(2**63) <= value < 2**63:
                what = f"task.toml: {field} is beyond 64 bits; write a smaller number"
                return DatasetError(Mistake.TYPE, folder, what)
            kind = "number" if type(value) in (int, float) else type(value).__name__
            other, task = types.setdefault(field, (kind, row["task"]))
            if kind != other:
                what = f"task.toml: {field} is of type {kind} here, and {other} in the task {task}; write them alike"
                return DatasetError(Mistake.MIXED_TYPES, folder, what)
    folder = Path(rows[0]["info"]["task_dir"]).parent
    text = " ".join(str(error).split())
    return DatasetError(Mistake.MIXED_TYPES, folder, f"its tasks do not fit into one dataset: {text}; write them alike")


def _fields(value: Any, name: str = "") -> Iterator[tuple[str, object]]:
    """Yield all values, each with the name of its field. The values of a list share one name."""
    yield name, value
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _fields(item, f"{name}.{key}".removeprefix("."))
    elif isinstance(value, list):
        for item in value:
            yield from _fields(item, f"{name}[]")
