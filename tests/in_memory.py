"""Where the tests' temporary folders are: in memory, where the system offers enough of it."""

import os
import shutil
import tempfile
from multiprocessing.util import Finalize

import pytest

_MEMORY = "/dev/shm"
_ENOUGH = 4 << 30
"""Bytes: a whole run leaves 1.2 GiB, most of it from tasks that write as much as they may."""

_AFTER_ALL_ELSE = -1000
"""Also after what multiprocessing removes of its own."""


def use_memory(config: pytest.Config) -> None:
    """Let this run, its workers and what they start make their temporary files in memory.

    They are removed when the process ends, unless tests have failed. Not where the environment, or `--basetemp`, says
    where they go.
    """
    if "TMPDIR" in os.environ or config.option.basetemp or not _has_enough():
        return
    folder = os.environ["TMPDIR"] = tempfile.mkdtemp(prefix="parity-tests-", dir=_MEMORY)
    os.chmod(folder, 0o711)  # some sandboxes have other users
    tempfile.tempdir = None
    removal = Finalize(None, shutil.rmtree, [folder], {"ignore_errors": True}, exitpriority=_AFTER_ALL_ELSE)
    config.pluginmanager.register(_KeptWhenTestsFail(folder, removal))


def _has_enough() -> bool:
    if not os.access(_MEMORY, os.W_OK | os.X_OK):
        return False
    status = os.statvfs(_MEMORY)
    return status.f_bavail * status.f_frsize >= _ENOUGH


class _KeptWhenTestsFail:
    """A plugin that keeps the folder of a run in which tests fail."""

    def __init__(self, folder: str, removal: Finalize) -> None:
        self._folder, self._removal = folder, removal

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter, exitstatus: int) -> None:
        """Say that it is kept, since it takes memory."""
        if exitstatus == pytest.ExitCode.TESTS_FAILED:
            self._removal.cancel()
            terminalreporter.write_line(f"KEPT in memory: {self._folder}, temporary files of a run with failed tests")
