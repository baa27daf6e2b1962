"""End the program quietly on Ctrl-C before anything has been started, for example while modules are imported.

Otherwise Python would print the traceback of an import. This module itself imports almost nothing.
"""

import os
import signal
from types import FrameType

INTERRUPTED = 130


def _end(number: int, frame: FrameType | None) -> None:
    os._exit(INTERRUPTED)


class Ending:
    """A context in which Ctrl-C ends the program at once, without any output."""

    def __enter__(self) -> None:
        self._before = signal.getsignal(signal.SIGINT)
        if self._before is not signal.SIG_IGN:  # a shell ignores Ctrl-C for background programs
            signal.signal(signal.SIGINT, _end)

    def __exit__(self, *_: object) -> None:
        signal.signal(signal.SIGINT, self._before)
