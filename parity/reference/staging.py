"""Folders in which newer releases stage what a verifier in a sandbox of its own is given: named in turn, not at random.

Their names are part of what is recorded, so a release would answer otherwise each time.
"""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any
from unittest import mock

from parity.reference.having import found

_HANDLER: Any = found("harbor.trial.artifact_handler")


class _NamesInTurn:
    """`tempfile`, but for `mkdtemp`, of which only what these releases ask is answered."""

    def __getattr__(self, name: str) -> Any:
        return getattr(tempfile, name)

    def mkdtemp(self, *, prefix: str, dir: Path) -> str:  # noqa: A002
        """A new folder in a folder: the prefix, and the first number that is free."""
        folder = next(each for number in count() if not (each := dir / f"{prefix}{number}").exists())
        folder.mkdir(0o700)
        return str(folder)


@contextmanager
def staged_in_turn() -> Iterator[None]:
    """Let the release's trials name such folders in turn; nothing where it makes none."""
    if not hasattr(_HANDLER, "tempfile"):
        yield
        return
    # Changes no answer: the names of these folders are random, and they are gone when the trial ends.
    with mock.patch.object(_HANDLER, "tempfile", _NamesInTurn()):
        yield
