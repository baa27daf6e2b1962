"""Ends a run of the suite: decides its exit code, and shows one line where pytest would show a traceback.

Exit code 1 means only that the runner does not agree. A run that reaches no verdict for any other reason ends with 4.
The README beside this file lists all exit codes.

A signal, such as Ctrl-C, stops the run in order. By default it would end Python at once, and leave behind the program
under test and the folder of its cases. The runner might also catch the exception that it raises.
"""

import atexit
import os
import re
import signal
import sys
import threading
from collections.abc import Generator
from contextlib import suppress
from time import monotonic
from traceback import print_exception
from typing import Any

import pytest

from parity.operations.files.folders import remove_process_folder
from parity.runners.interrupts import forget_interrupts, interrupt
from parity.runners.own_frames import place_of

_SIGNALS = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
_MOMENT = 1.0
"""Within so many seconds a second signal counts as the same: it may come to the group and to each process."""

WORKER_SECONDS = 60
"""Seconds that the main process waits for workers that it stops; pytest-xdist would kill them after 10."""


class Stopper:
    """Interrupts the main thread when a signal comes that would end the process."""

    def __init__(self) -> None:
        self.came: signal.Signals | None = None
        """The signal that stopped the run."""

        self._in_worker = False
        self._ignored_until = 0.0
        self._before: dict[signal.Signals, Any] = {}

    @property
    def reason(self) -> str:
        """Return the reason why the run was stopped, in words."""
        return f"stopped by {self.came.name}" if self.came else "interrupted"

    @property
    def exit_code(self) -> int:
        """Return the exit code of a stopped run."""
        return 128 + self.came if self.came else pytest.ExitCode.INTERRUPTED

    def install(self, *, in_worker: bool) -> None:
        """Handle the signals that have no other handler; do nothing outside the main thread, which cannot set handlers.

        A worker interrupts itself when the main process goes, even if that process ignores Ctrl-C, as background
        processes of a script do. It does so only once: a second interrupt would keep it from ending in order.
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
        """Restore the earlier handlers of signals."""
        while self._before:
            signal.signal(*self._before.popitem())
        forget_interrupts()

    def _on_signal(self, number: int, frame: object) -> None:
        if monotonic() < self._ignored_until or (self._in_worker and self.came):
            return
        self._ignored_until = monotonic() + _MOMENT
        self.came = signal.Signals(number)
        if self._in_worker:  # at once, because the worker ends soon, in order or not
            remove_process_folder()
        interrupt(self.reason)


TRACEBACK = "; --full-trace shows the traceback"

_RAISED = re.compile(r" *[\w.]+: ")
"""The line of a traceback that names the error."""

_NO_VERDICT = pytest.ExitCode.USAGE_ERROR
_OTHERWISE = "a test failed for another reason than a difference between runner and reference"


class RunEnding:
    """The end of one run. Its hooks receive every error that ends a run."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._code: int | None = None
        """The exit code, once all tests have ended."""

        self.stopper = Stopper()
        self.disagrees = False
        """Whether the runner differs from the reference, or from what is declared of it."""

        self.faults: list[str] = []
        """Why there is no verdict, or not all that was asked for; a line each."""

        self.warnings: list[str] = []
        """What went wrong and changes no verdict; a line each."""

    def write(self, terminal: pytest.TerminalReporter) -> None:
        """Write the lines that go below the summary."""
        for line in self.warnings:
            terminal.write_line(f"parity warning: {line}", yellow=True)
        for line in self.faults:
            terminal.write_line(f"ERROR: {line}", red=True)

    def note(self, error: BaseException) -> None:
        """Record an error that another plugin raised when the run ended."""
        (self.warnings if isinstance(error, Warning) else self.faults).append(in_a_line(error))

    def decide(self, status: int) -> int:
        """Return the exit code of a run whose tests have ended.

        Args:
            status: pytest's own exit code.
        """
        if status == pytest.ExitCode.TESTS_FAILED and not self.disagrees and _OTHERWISE not in self.faults:
            self.faults.append(_OTHERWISE)
        if self.stopper.came:
            self._code = self.stopper.exit_code
        elif status not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
            self._code = _NO_VERDICT if status == pytest.ExitCode.INTERNAL_ERROR else status
        elif self.disagrees:
            self._code = pytest.ExitCode.TESTS_FAILED
        else:
            self._code = _NO_VERDICT if self.faults else pytest.ExitCode.OK
        return self._code

    @pytest.hookimpl(tryfirst=True)
    def pytest_internalerror(self, excinfo: pytest.ExceptionInfo[BaseException]) -> None:
        """End the run with a line, unless `--full-trace` asks for the traceback."""
        if not (self._in_worker or self._config.option.fulltrace):
            pytest.exit(f"no verdict: {in_a_line(excinfo.value)}{TRACEBACK}", _NO_VERDICT)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_cmdline_main(self) -> Generator[None, int, int]:
        """Return the exit code, even if an error or an interrupt comes after the tests."""
        if self._in_worker:
            return (yield)
        try:
            code = yield
            sys.stdout.flush()
        except pytest.UsageError:
            raise
        except KeyboardInterrupt:
            code = pytest.ExitCode.INTERRUPTED
            _say(self.stopper.reason)
        except BaseException as error:
            code = self._code_after(error)
        _drop_unwritten()
        atexit.register(signal.signal, signal.SIGINT, signal.SIG_IGN)  # while Python itself ends
        if self.stopper.came:
            return self.stopper.exit_code
        is_decided = code == self._code or code not in (pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.INTERNAL_ERROR)
        return code if is_decided else _NO_VERDICT

    def _code_after(self, error: BaseException) -> int:
        """Print an error that was raised after or instead of the tests, and return the exit code."""
        if self._config.option.fulltrace:
            print_exception(error)
        if self._code is not None and isinstance(error, Warning | BrokenPipeError):
            _say(f"parity warning: {in_a_line(error)}")
            return self._code
        _say(f"ERROR: {in_a_line(error)}{TRACEBACK}")
        return self._code or _NO_VERDICT

    @property
    def _in_worker(self) -> bool:
        return hasattr(self._config, "workerinput")


ENDING = pytest.StashKey[RunEnding]()


def was_cut(session: pytest.Session) -> bool:
    """Return whether a run did not get to its end."""
    ends = (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.NO_TESTS_COLLECTED)
    return session.exitstatus not in ends or bool(session.shouldfail or session.shouldstop)


def in_a_line(error: BaseException) -> str:
    """Return the error and its place in one line."""
    lines = str(error).splitlines()
    if lines[:1] == ["Traceback (most recent call last):"]:  # a worker's, from pytest-xdist
        return next((line.strip() for line in reversed(lines) if _RAISED.match(line)), "a worker failed")
    return " ".join([f"{type(error).__name__}:", *str(error).split()]) + place_of(error.__cause__ or error)


def _say(line: str) -> None:
    with suppress(OSError):  # the exit code says the same
        print(line, file=sys.stderr, flush=True)


def _drop_unwritten() -> None:
    """Discard output that cannot be written; else Python tries again when it exits, and then its exit code is 1."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
