"""What faulty runners have in common."""

from pathlib import Path
from typing import ClassVar

from parity.runners import CleanRoom
from parity.scorer import Series


class Fault(CleanRoom):
    """The built-in runner, but for one fault."""

    breaks: ClassVar[str]
    seen_by: ClassVar[str]

    def __init__(self) -> None:
        super().__init__()
        self.name = type(self).__name__

    @property
    def other_series(self) -> Series:
        """The series that the running interpreter does not have."""
        return Series.PY312 if self.series is Series.PY314 else Series.PY314


def read_bytes(directory: Path, name: str) -> bytes | None:
    """The content of a reward file that is, or leads to, a regular file which may be read; else None."""
    path = directory / name
    try:
        return path.read_bytes() if path.is_file() else None
    except OSError:
        return None


def sort_keys(keys: object) -> None:
    """Sort the keys in place, if it is a dict."""
    if isinstance(keys, dict):
        for key in sorted(keys, key=str):
            keys[key] = keys.pop(key)
