"""Garbage collection in a run: rarer, and not of what is loaded before its first test.

The wheel and the suite are a million objects that live until the end, and looking through them again and again for what
cases leave takes a tenth of a run. What cases leave is mostly freed without a collection, if that only comes late.
"""

import atexit
import gc
from typing import Self

_ALLOCATED = 3_000_000
"""So many new objects more than freed ones before young ones are collected; Python's own default is 700 or 2,000.

They take some 250 MB. The main job allocates fewer, and at a million each of its collections takes half a second.
"""


class RareCollection:
    """The settings of a run, until they are restored."""

    def __init__(self) -> None:
        self._before: tuple[int, int, int] | None = None

    def begin(self) -> Self:
        """Collect rarely, and nothing when the process ends, which frees it all anyway; itself."""
        atexit.register(gc.freeze)
        self._before = gc.get_threshold()
        gc.set_threshold(_ALLOCATED, *self._before[1:])
        return self

    @staticmethod
    def leave_out_what_is_loaded() -> None:
        """Until it is restored, collect nothing of what there is by now."""
        gc.freeze()

    def restore(self) -> None:
        """Collect as before."""
        if self._before is not None:
            gc.unfreeze()
            gc.set_threshold(*self._before)
