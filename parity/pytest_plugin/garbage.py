"""Garbage collection in a run: rarer, and not of what is loaded before its first test.

The wheel and the suite are a million objects that live until the end, and looking through them again and again for what
cases leave takes a tenth of a run.
"""

import gc
from typing import Self

_ALLOCATED = 50_000
"""So many new objects more than freed ones before young ones are collected; Python's own default is 700 or 2,000."""


class RareCollection:
    """The settings of a run, until they are restored."""

    def __init__(self) -> None:
        self._before: tuple[int, int, int] | None = None

    def begin(self) -> Self:
        """Leave out what is loaded by now; itself."""
        self._before = gc.get_threshold()
        gc.freeze()
        gc.set_threshold(_ALLOCATED, *self._before[1:])
        return self

    def restore(self) -> None:
        """Collect as before."""
        if self._before is not None:
            gc.unfreeze()
            gc.set_threshold(*self._before)
