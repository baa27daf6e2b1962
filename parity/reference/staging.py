"""Fixed names for the folders in which newer releases stage the inputs of a verifier's own sandbox.

The names are part of the record, so random ones would change a release's answer each time.
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
    """A replacement of `tempfile` with its own `mkdtemp`, which takes only the arguments that these releases give."""

    def __getattr__(self, name: str) -> Any:
        return getattr(tempfile, name)

    def mkdtemp(self, *, prefix: str, dir: Path) -> str:  # noqa: A002
        """Make a new folder, named with the prefix and the first free number, and return its path."""
        folder = next(each for number in count() if not (each := dir / f"{prefix}{number}").exists())
        folder.mkdir(0o700)
        return str(folder)


@contextmanager
def staged_in_turn() -> Iterator[None]:
    """Let the release's trials number such folders inside the `with` block; do nothing for a release without them."""
    if not hasattr(_HANDLER, "tempfile"):
        yield
        return
    # Changes no answer: the names of these folders are random, and they are gone when the trial ends.
    with mock.patch.object(_HANDLER, "tempfile", _NamesInTurn()):
        yield
