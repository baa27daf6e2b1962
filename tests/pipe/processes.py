"""Finds leftover processes by a mark in their environment."""

import os
import secrets
from pathlib import Path
from time import monotonic, sleep

import pytest

_VARIABLE = "PARITY_TEST_MARK"
_TIMEOUT = 600.0
"""Seconds after which a process that still runs is considered leftover."""


def marked_environment(monkeypatch: pytest.MonkeyPatch) -> str:
    """Mark all processes that are started from now on, and return the mark."""
    mark = secrets.token_hex(8)
    monkeypatch.setenv(_VARIABLE, mark)
    return mark


def processes_with(mark: str) -> list[str]:
    """Return the command lines of all other processes that have the mark and do not end in time."""
    deadline = monotonic() + _TIMEOUT
    while (remaining := _processes(mark)) and monotonic() < deadline:  # a killed process may take a moment to disappear
        sleep(0.01)
    return remaining


def _processes(mark: str) -> list[str]:
    variable = f"{_VARIABLE}={mark}".encode()
    lines = []
    for directory in Path("/proc").glob("[0-9]*"):
        try:
            if directory.name != str(os.getpid()) and variable in (directory / "environ").read_bytes().split(b"\0"):
                lines.append((directory / "cmdline").read_bytes().replace(b"\0", b" ").decode())
        except OSError:  # the process has ended meanwhile, or belongs to another user
            continue
    return lines
