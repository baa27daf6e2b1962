"""What a place needs of the machine, by the word after its name."""

import shutil
from collections.abc import Callable, Iterable
from pathlib import Path

from parity.reference.separate.making import is_made
from tests.sandboxes.kinds import unavailable

ROOT = Path(__file__).resolve().parent.parent.parent
"""The checkout."""

_SHOWN_RELEASES = ("0.13.1", "0.24.0")
"""Those that are asked in a README."""


def _node() -> str | None:
    return None if shutil.which("node") else "node is not installed"


def _releases() -> str | None:
    lacking = [release for release in _SHOWN_RELEASES if not is_made(release)]
    return f"the environments of harbor {', '.join(lacking)} are not made" if lacking else None


NEEDS: dict[str, Callable[[], str | None]] = {
    "node": _node,
    "local": lambda: unavailable("local"),
    "releases": _releases,
}
"""By the word: what is missing here, or None."""


def missing(words: Iterable[str]) -> str | None:
    """What is missing here for a place with these words."""
    return next((lack for word in words if word in NEEDS if (lack := NEEDS[word]())), None)
