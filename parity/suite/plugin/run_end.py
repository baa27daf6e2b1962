"""Ends a run of the suite: decides its exit code, and shows one line where pytest would show a traceback.

Exit code 1 means only that the runner does not agree. A run that reaches no verdict for any other reason ends with 4.
The README beside this file lists all exit codes.
"""

import os
import re
import sys
from collections.abc import Generator
from contextlib import suppress
from traceback import print_exception

import pytest

from parity.runners.own_frames import place_of

TRACEBACK = "; --full-trace shows the traceback"

_ERROR_LINE = re.compile(r" *[\w.]+: ")
"""The line of a traceback that names the error."""

_NO_VERDICT = pytest.ExitCode.USAGE_ERROR
_OTHERWISE = "a test failed for another reason than a difference between runner and reference"


class RunEnding:
    """The end of one run. Its hooks receive every error that ends a run."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._code: int | None = None
        """The exit code, once all tests have ended."""

        self.disagrees = False
        """Whether the runner differs from the reference, or from its declared divergences."""

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
        """Return the exit code of a run whose tests have ended.

        Args:
            status: pytest's own exit code.
        """
        if status == pytest.ExitCode.TESTS_FAILED and not self.disagrees and _OTHERWISE not in self.faults:
            self.faults.append(_OTHERWISE)
        if status not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
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
            pytest.exit(f"no verdict: {one_line(excinfo.value)}{TRACEBACK}", _NO_VERDICT)

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
            _print_error("interrupted")
        except BaseException as error:
            code = self._code_after(error)
        is_decided = code == self._code or code not in (pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.INTERNAL_ERROR)
        return code if is_decided else _NO_VERDICT

    def _code_after(self, error: BaseException) -> int:
        """Print an error that was raised after or instead of the tests, and return the exit code."""
        if self._config.option.fulltrace:
            print_exception(error)
        if isinstance(error, OSError):
            _discard_output()
        if self._code is not None and isinstance(error, Warning | BrokenPipeError):
            _print_error(f"parity warning: {one_line(error)}")
            return self._code
        _print_error(f"ERROR: {one_line(error)}{TRACEBACK}")
        return self._code or _NO_VERDICT

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


def _discard_output() -> None:
    """Discard unwritten output, so that the interpreter's last flush changes no exit code."""
    with open(os.devnull, "wb") as nowhere:
        os.dup2(nowhere.fileno(), sys.stdout.fileno())


def _print_error(line: str) -> None:
    with suppress(OSError):  # the exit code says the same
        print(line, file=sys.stderr, flush=True)
