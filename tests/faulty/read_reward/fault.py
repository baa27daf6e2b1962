"""What faulty readers of rewards have in common."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from parity.scorer import Rewards
from tests.faulty.fault import read_bytes


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
