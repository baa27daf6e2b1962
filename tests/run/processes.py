"""Processes and containers that belong to a test, found by a mark that it has put on them."""

import subprocess
import time
from pathlib import Path

_TIMEOUT = 120
"""Seconds for what has lost its parent to end."""


def marked_processes(mark: str) -> list[str]:
    """Command lines of processes that have the mark in them, or in their environment."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            line = (process / "cmdline").read_bytes()
            environment = (process / "environ").read_bytes()
        except OSError:
            continue
        if mark.encode() in line + environment and not _is_dead(process):
            found.append(line.replace(b"\0", b" ").decode(errors="replace"))
    return found


def _is_dead(process: Path) -> bool:
    """Whether it only waits for its parent to take note of its end."""
    try:
        return (process / "stat").read_text().rpartition(")")[2].split()[0] in "ZX"
    except OSError:
        return True


def marked_containers(mark: str) -> list[str]:
    """Names of containers, running or not, that have the mark in theirs."""
    listed = subprocess.run(
        ["docker", "ps", "--all", "--filter", f"name={mark}", "--format", "{{.Names}}"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    return listed.stdout.split()


def left_running(mark: str, *, docker: bool) -> list[str]:
    """What still runs after `_TIMEOUT` seconds."""
    end = time.monotonic() + _TIMEOUT
    while True:
        left = marked_processes(mark) + (marked_containers(mark) if docker else [])
        if not left or time.monotonic() > end:
            return left
        time.sleep(0.05)
