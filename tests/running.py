"""Runs pytest or `parity` in a separate process, with empty standard input."""

import os
import shlex
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
"""The checkout."""

PYTHON = shlex.quote(sys.executable)
"""This interpreter, quoted for a command line."""

FAST = ("-p", "no:cacheprovider", "-p", "no:xdist")
"""Options for short runs of pytest."""

type Run = Callable[..., subprocess.CompletedProcess[str]]
"""Runs pytest in the test's empty directory: the fixtures `run` and `run_process`."""


def run_pytest(
    *arguments: str, cwd: Path, environment: Mapping[str, str] | None = None
) -> "subprocess.CompletedProcess[str]":
    """Run `python -m pytest ARGUMENTS` to its end.

    Args:
        arguments: the arguments of pytest.
        cwd: the directory to run in.
        environment: all variables; by default those of this process.
    """
    return subprocess.run(
        [sys.executable, "-m", "pytest", *arguments],
        cwd=cwd, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="backslashreplace",
    )  # fmt: skip


def run_parity(
    *arguments: str, cwd: Path, environment: Mapping[str, str] | None = None, typed: str = ""
) -> "subprocess.CompletedProcess[str]":
    """Run `python -m parity ARGUMENTS` to its end, with `typed` on its standard input."""
    return subprocess.run(
        [sys.executable, "-m", "parity", *arguments],
        cwd=cwd, env=environment, input=typed, capture_output=True, text=True, errors="backslashreplace",
    )  # fmt: skip


def dying_environment(directory: Path) -> dict[str, str]:
    """Return variables for a process that may die: it finds the checkout, and leaves its files in this directory."""
    return {**os.environ, "PYTHONPATH": os.fspath(ROOT), "TMPDIR": os.fspath(directory)}
