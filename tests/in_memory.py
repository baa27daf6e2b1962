"""Where the tests' temporary folders are: in memory, where the system offers enough of it."""

import os
import shutil
import tempfile

import pytest

_MEMORY = "/dev/shm"
_ENOUGH = 4 << 30
"""Bytes: a whole run leaves 1.2 GiB, most of it from tasks that write as much as they may."""


def use_memory(config: pytest.Config) -> None:
    """Let this run, its workers and what they start make their temporary files in memory.

    They are removed with the end of the run, unless tests have failed. Not where the environment, or `--basetemp`, says
    where they go.
    """
    if "TMPDIR" in os.environ or config.option.basetemp or not _has_enough():
        return
    folder = os.environ["TMPDIR"] = tempfile.mkdtemp(prefix="parity-tests-", dir=_MEMORY)
    tempfile.tempdir = None
    config.pluginmanager.register(_Removal(folder))


def _has_enough() -> bool:
    if not os.access(_MEMORY, os.W_OK | os.X_OK):
        return False
    status = os.statvfs(_MEMORY)
    return status.f_bavail * status.f_frsize >= _ENOUGH


class _Removal:
    """A plugin that removes the folder of a run."""

    def __init__(self, folder: str) -> None:
        self._folder, self._kept = folder, False

    def pytest_sessionfinish(self, exitstatus: int) -> None:
        """Keep what failed tests have left."""
        self._kept = exitstatus == pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Say that it takes memory."""
        if self._kept:
            terminalreporter.write_line(f"KEPT in memory: {self._folder}, temporary files of a run with failed tests")

    @pytest.hookimpl(trylast=True)
    def pytest_unconfigure(self) -> None:
        """Remove all others."""
        if not self._kept:
            shutil.rmtree(self._folder, ignore_errors=True)
