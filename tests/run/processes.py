"""Finds the processes and containers of a test by a mark."""

import time
from pathlib import Path

from tests.sandboxes.kinds import containers

_TIMEOUT = 120
"""Seconds to wait until processes end that have lost their parent."""


def marked_processes(mark: str) -> list[str]:
    """Return the command lines of running processes with the mark in their command line or environment."""
    processes = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            line = (process / "cmdline").read_bytes()
            environment = (process / "environ").read_bytes()
        except OSError:
            continue
        if mark.encode() in line + environment and not _is_dead(process):
            processes.append(line.replace(b"\0", b" ").decode(errors="replace"))
    return processes


def _is_dead(process: Path) -> bool:
    """Return whether the process has ended, even if its parent has not yet collected its exit code."""
    try:
        return (process / "stat").read_text().rpartition(")")[2].split()[0] in "ZX"
    except OSError:
        return True


def left_running(mark: str, *, docker: bool) -> list[str]:
    """Return all marked processes and containers that are still running after `_TIMEOUT` seconds."""
    end = time.monotonic() + _TIMEOUT
    while True:
        left = marked_processes(mark) + (containers(mark) if docker else [])
        if not left or time.monotonic() > end:
            return left
        time.sleep(0.05)
