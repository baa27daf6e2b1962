"""Ends a run of the suite in order when a signal stops it, as Ctrl-C does.

By default such a signal ends Python at once, and leaves behind the program under test and the folder of its cases.
"""

import signal
import threading
from time import monotonic

_SIGNALS = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
_MOMENT = 1.0
"""Within which a second signal is the same: whoever ends a group of processes may send it to each of them, too."""


class Stopper:
    """While it is installed, a signal that would end the process interrupts the main thread instead."""

    def __init__(self) -> None:
        self.came: signal.Signals | None = None
        """The signal that stopped the run."""

        self._ignored_until = 0.0
        self._taken: list[signal.Signals] = []

    def install(self) -> None:
        """Take over the signals that nobody else has; another thread than the main one cannot, and leaves them."""
        if threading.current_thread() is threading.main_thread():
            self._taken = [number for number in _SIGNALS if signal.getsignal(number) is signal.SIG_DFL]
        for number in self._taken:
            signal.signal(number, self._hear)

    def restore(self) -> None:
        """Give them back."""
        while self._taken:
            signal.signal(self._taken.pop(), signal.SIG_DFL)

    def _hear(self, number: int, frame: object) -> None:
        if monotonic() < self._ignored_until:
            return
        self._ignored_until = monotonic() + _MOMENT
        self.came = signal.Signals(number)
        raise KeyboardInterrupt(f"stopped by {self.came.name}")
