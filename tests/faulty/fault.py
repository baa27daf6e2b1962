"""What faulty runners have in common."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

from parity.runners import CleanRoom
from parity.scorer import Rewards, Series


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


def counting_text(directory: Path) -> str | None:
    """The text of reward.txt where it is the file that counts."""
    try:
        if (directory / "reward.json").exists():
            return None
    except OSError:
        return None
    content = read_bytes(directory, "reward.txt")
    return None if content is None else content.decode("utf-8", "replace")


def changed(rewards: Rewards | None, change: Callable[[Any], Any]) -> Rewards | None:
    """The rewards with every value changed."""
    return None if rewards is None else {key: change(value) for key, value in rewards.items()}
