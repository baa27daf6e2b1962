"""Finds processes by a mark in their environment, so that no leftover process is missed."""

import os
import secrets
from pathlib import Path
from time import monotonic, sleep

import pytest

_VARIABLE = "PARITY_TEST_MARK"
_TIMEOUT = 600.0
"""Seconds that only a leftover process runs."""


def marked_environment(monkeypatch: pytest.MonkeyPatch) -> str:
    """Mark all processes that are started from now on, and return the mark."""
    mark = secrets.token_hex(8)
    monkeypatch.setenv(_VARIABLE, mark)
    return mark


def processes_with(mark: str) -> list[str]:
    """Return the command lines of other processes with the mark, except those that end by themselves."""
    deadline = monotonic() + _TIMEOUT
    while (found := _found(mark)) and monotonic() < deadline:  # what was killed may take a little to be gone
        sleep(0.01)
    return found


def _found(mark: str) -> list[str]:
    variable = f"{_VARIABLE}={mark}".encode()
    found = []
    for directory in Path("/proc").glob("[0-9]*"):
        try:
            if directory.name != str(os.getpid()) and variable in (directory / "environ").read_bytes().split(b"\0"):
                found.append((directory / "cmdline").read_bytes().replace(b"\0", b" ").decode())
        except OSError:  # it has ended by now, or is somebody else's
            continue
    return found
