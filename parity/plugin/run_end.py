"""Ends a run of the suite: decides its exit code, and shows one line where pytest would show a traceback.

The exit code is a sum over what the tests found, whatever became of the tests and of pytest's own exit status. 1 means
only that the runner does not agree. A run that reaches no verdict for any other reason ends with 4, or with 2 after
Ctrl-C. The README beside this file lists all exit codes.
"""

import os
import re
import sys
from collections.abc import Callable, Generator
from contextlib import suppress
from traceback import print_exception

import pytest

from parity.operations.finding import SuiteFinding
from parity.runners.own_frames import place_of

TRACEBACK = "; --full-trace shows the traceback"

_ERROR_LINE = re.compile(r" *[\w.]+: ")
"""The line of a traceback that names the error."""

_NO_VERDICT = pytest.ExitCode.USAGE_ERROR
OTHERWISE = "a test failed for another reason than a difference between runner and reference"
_SET = "another plugin ended the run with exit code 1, although no test failed"
_STOPPED = "the run was stopped before its end"


_WITHOUT_REASON: dict[int, str] = {
    pytest.ExitCode.TESTS_FAILED: OTHERWISE,
    pytest.ExitCode.INTERRUPTED: _STOPPED,
    pytest.ExitCode.INTERNAL_ERROR: "pytest failed",
}
"""What is reported for pytest's exit codes that mean something else here, if no other line reports a reason."""


class RunEnding:
    """The end of one run. Its hooks receive every error that ends a run."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._has_decided = False
        """Whether all tests have ended, and the exit code was decided."""

        self.disagrees: Callable[[], bool] = lambda: False
        """Returns whether the runner differs from the reference, or from its declared divergences."""

        self.incomplete = False
        """Whether a selected test did not get to its end."""

        self.test_failed = False
        """Whether pytest reported a failed test."""

        self.lost = False
        """Whether the reference was lost, or the files of cases had no room, so that findings do not count."""

        self.interrupted = False
        """Whether Ctrl-C ended the run."""

        self.faults: list[str] = []
        """Reasons why there is no verdict or a file was not written, one line each."""

        self.warnings: list[str] = []
        """Errors that change no verdict, one line each."""

    def write(self, terminal: pytest.TerminalReporter) -> None:
        """Write the lines that go below the summary."""
        for line in self.warnings:
            terminal.write_line(f"parity warning: {line}", yellow=True)
        for line in self.faults:
            terminal.write_line(f"ERROR: {line}", red=True)

    def note(self, error: BaseException) -> None:
        """Record an error that another plugin raised when the run ended."""
        (self.warnings if isinstance(error, Warning) else self.faults).append(one_line(error))

    def decide(self, status: int) -> int:
        """Return the exit code of a run whose tests have ended, from what was found.

        Args:
            status: pytest's own exit code, which decides only if nothing was found, such as 5 if no test was selected.
        """
        self._has_decided = True
        if self.lost:
            return _NO_VERDICT
        if self.interrupted:
            return pytest.ExitCode.INTERRUPTED
        if self.disagrees():
            return pytest.ExitCode.TESTS_FAILED
        if self.incomplete:
            return _NO_VERDICT
        if not self.faults and status in _WITHOUT_REASON:
            is_set = status == pytest.ExitCode.TESTS_FAILED and not self.test_failed
            self.faults.append(_SET if is_set else _WITHOUT_REASON[status])
        return _NO_VERDICT if self.faults and status in (pytest.ExitCode.OK, *_WITHOUT_REASON) else status

    @pytest.hookimpl(tryfirst=True)
    def pytest_keyboard_interrupt(self, excinfo: pytest.ExceptionInfo[BaseException]) -> None:
        """Note Ctrl-C; a run that is stopped by `-x` or by another plugin raises an error of another class."""
        self.interrupted |= type(excinfo.value) is KeyboardInterrupt

    @pytest.hookimpl(tryfirst=True)
    def pytest_internalerror(self, excinfo: pytest.ExceptionInfo[BaseException]) -> None:
        """End the run with a line, unless `--full-trace` asks for the traceback."""
        if not (self._in_worker or self._config.option.fulltrace):
            verdict = "" if self.disagrees() else "no verdict: "
            pytest.exit(f"{verdict}{one_line(excinfo.value)}{TRACEBACK}", _NO_VERDICT)

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
            self.interrupted = True
            _print_error("interrupted")
            code = pytest.ExitCode.INTERRUPTED
        except BaseException as error:
            return self._code_after(error)
        known = len(self.faults)
        code = self.decide(code)
        for line in self.faults[known:]:  # the summary has shown the others
            _print_error(f"ERROR: {line}")
        return code

    def _code_after(self, error: BaseException) -> int:
        """Print an error that was raised after or instead of the tests, and return the exit code."""
        if self._config.option.fulltrace:
            print_exception(error)
        if isinstance(error, OSError):
            _discard_output()
        if self._has_decided and isinstance(error, Warning | BrokenPipeError):
            _print_error(f"parity warning: {one_line(error)}")
            return self.decide(pytest.ExitCode.OK)
        _print_error(f"ERROR: {one_line(error)}{TRACEBACK}")
        return self.decide(_NO_VERDICT)

    @property
    def _in_worker(self) -> bool:
        return hasattr(self._config, "workerinput")


ENDING = pytest.StashKey[RunEnding]()


def was_interrupted(session: pytest.Session) -> bool:
    """Return whether a run did not get to its end."""
    ends = (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.NO_TESTS_COLLECTED)
    return session.exitstatus not in ends or bool(session.shouldfail or session.shouldstop)


def one_line(error: BaseException) -> str:
    """Return the error and its place in one line."""
    lines = str(error).splitlines()
    if lines[:1] == ["Traceback (most recent call last):"]:  # a worker's, from pytest-xdist
        return next((line.strip() for line in reversed(lines) if _ERROR_LINE.match(line)), "a worker failed")
    return " ".join([f"{type(error).__name__}:", *str(error).split()]) + place_of(error.__cause__ or error)


def reason_of(error: BaseException) -> str:
    """Return the first line of an error, with its place, as the reason why a test did not get to its end."""
    if isinstance(error, SuiteFinding):
        return error.text.partition("\n")[0]
    return one_line(error)


def place_in(report: pytest.TestReport) -> str | None:
    """Return why and where a test was skipped or failed, for one line; None if the report says nothing of it."""
    if report.passed:
        return None
    if isinstance(report.longrepr, tuple):  # it was skipped
        path, line, why = report.longrepr
        return f"{why}, at {path}:{line}"
    crash = getattr(report.longrepr, "reprcrash", None)
    if crash is None:
        return " ".join(str(report.longrepr).split()) or report.outcome
    return f"{' '.join(crash.message.split())}, at {crash.path}:{crash.lineno}"


def _discard_output() -> None:
    """Discard unwritten output, so that the interpreter's last flush changes no exit code."""
    with open(os.devnull, "wb") as nowhere:
        os.dup2(nowhere.fileno(), sys.stdout.fileno())


def _print_error(line: str) -> None:
    with suppress(OSError):  # the exit code says the same
        print(line, file=sys.stderr, flush=True)
