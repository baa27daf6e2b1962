"""What a place needs of the machine, by the word after its name."""

import shutil
from collections.abc import Callable, Iterable
from pathlib import Path

from tests.sandboxes.kinds import unavailable

ROOT = Path(__file__).resolve().parent.parent.parent
"""The checkout."""


def _node() -> str | None:
    return None if shutil.which("node") else "node is not installed"


NEEDS: dict[str, Callable[[], str | None]] = {"node": _node, "local": lambda: unavailable("local")}
"""By the word: what is missing here, or None."""


def missing(words: Iterable[str]) -> str | None:
    """What is missing here for a place with these words."""
    return next((lack for word in words if word in NEEDS if (lack := NEEDS[word]())), None)
