"""Ctrl-C where nothing has been started yet, above all while modules are imported: the program just ends.

Else Python would print a traceback of whatever it was importing. This module takes next to nothing itself.
"""

import os
import signal
from types import FrameType

INTERRUPTED = 130


def _end(number: int, frame: FrameType | None) -> None:
    os._exit(INTERRUPTED)


class Ending:
    """While the context lasts, Ctrl-C ends the program at once, without any output."""

    def __enter__(self) -> None:
        self._before = signal.getsignal(signal.SIGINT)
        if self._before is not signal.SIG_IGN:  # whoever started it in the background wants that
            signal.signal(signal.SIGINT, _end)

    def __exit__(self, *_: object) -> None:
        signal.signal(signal.SIGINT, self._before)
