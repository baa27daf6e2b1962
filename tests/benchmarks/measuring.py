"""Measures commands, each in a fresh process."""

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

_ROOT = Path(__file__).resolve().parent.parent.parent


class Measured(NamedTuple):
    """One run in a fresh process."""

    wall: float
    cpu: float
    """Seconds of user and system time."""

    peak: float
    """Peak memory in MiB."""


def measure(*command: str) -> tuple[Measured, str]:
    """Run a Python module with arguments in a fresh process; return its cost and its output.

    Raises:
        SystemExit: the module failed; the message has its output.
    """
    started = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", *command], cwd=_ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    assert process.stdout is not None
    output = process.stdout.read().decode()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(output)
    wall = time.perf_counter() - started
    return Measured(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024), output
