"""Ends a run of the suite in order when a signal stops it, as Ctrl-C does.

By default such a signal ends Python at once, and leaves behind the program under test and the folder of its cases; and
what it raises may be caught by the runner.
"""

import signal
import threading
from time import monotonic
from typing import Any

import pytest

from parity.operations.files.folders import remove_process_folder
from parity.runners.interrupts import forget_interrupts, interrupt

_SIGNALS = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
_MOMENT = 1.0
"""Within which a second signal is the same: whoever ends a group of processes may send it to each of them, too."""

WORKER_SECONDS = 60
"""How long the main process waits for workers that it stops, where pytest-xdist would kill them after 10."""


class Stopper:
    """While it is installed, a signal that would end the process interrupts the main thread instead."""

    def __init__(self) -> None:
        self.came: signal.Signals | None = None
        """The signal that stopped the run."""

        self._in_worker = False
        self._ignored_until = 0.0
        self._before: dict[signal.Signals, Any] = {}

    @property
    def reason(self) -> str:
        """What has stopped the run, in words."""
        return f"stopped by {self.came.name}" if self.came else "interrupted"

    @property
    def exit_code(self) -> int:
        """That of a run that was stopped."""
        return 128 + self.came if self.came else pytest.ExitCode.INTERRUPTED

    def install(self, *, in_worker: bool) -> None:
        """Take over the signals that have no other handler; another thread than the main one cannot, and leaves them.

        A worker interrupts itself when the main process goes, also where that was started to ignore Ctrl-C, as whatever
        runs in the background of a script is. It does so once: interrupted again, it would not end in order.
        """
        if threading.current_thread() is not threading.main_thread():
            return
        self._in_worker = in_worker
        for number in _SIGNALS:
            if signal.getsignal(number) is signal.SIG_DFL:
                self._before[number] = signal.signal(number, self._on_signal)
        if in_worker:
            self._before[signal.SIGINT] = signal.signal(signal.SIGINT, self._on_signal)
        elif signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            self._before[signal.SIGINT] = signal.signal(signal.SIGINT, lambda number, frame: interrupt())

    def restore(self) -> None:
        """Give them back."""
        while self._before:
            signal.signal(*self._before.popitem())
        forget_interrupts()

    def _on_signal(self, number: int, frame: object) -> None:
        if monotonic() < self._ignored_until or (self._in_worker and self.came):
            return
        self._ignored_until = monotonic() + _MOMENT
        self.came = signal.Signals(number)
        if self._in_worker:  # at once, because it ends itself before long, in order or not
            remove_process_folder()
        interrupt(self.reason)
