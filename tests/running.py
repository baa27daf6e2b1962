"""Runs pytest or `parity` in a separate process, with empty standard input."""

import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

PYTHON = shlex.quote(sys.executable)
"""This interpreter, quoted for a command line."""


def run_pytest(
    *arguments: str, cwd: Path, environment: Mapping[str, str] | None = None
) -> "subprocess.CompletedProcess[str]":
    """Run `python -m pytest ARGUMENTS` to its end.

    Args:
        arguments: the arguments of pytest.
        cwd: the folder to run in.
        environment: all variables; by default those of this process.
    """
    with started_pytest(*arguments, cwd=cwd, environment=environment) as run:
        return ended(run)


def run_parity(
    *arguments: str, cwd: Path, environment: Mapping[str, str] | None = None, typed: str = ""
) -> "subprocess.CompletedProcess[str]":
    """Run `python -m parity ARGUMENTS` to its end, with `typed` on its standard input."""
    return subprocess.run(
        [sys.executable, "-m", "parity", *arguments],
        cwd=cwd, env=environment, input=typed, capture_output=True, text=True, errors="backslashreplace",
    )  # fmt: skip


@contextmanager
def started_pytest(
    *arguments: str, cwd: Path, environment: Mapping[str, str] | None = None, ignored: Sequence[signal.Signals] = ()
) -> "Iterator[subprocess.Popen[str]]":
    """Start `python -m pytest ARGUMENTS`, which ignores these signals; kill it at the end of the block."""

    def set_signals() -> None:
        for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(each, signal.SIG_IGN if each in ignored else signal.SIG_DFL)

    with subprocess.Popen(
        [sys.executable, "-m", "pytest", *arguments],
        cwd=cwd, env=environment, preexec_fn=set_signals, text=True, errors="backslashreplace",
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as run:  # fmt: skip
        try:
            yield run
        finally:
            run.kill()


def ended(run: "subprocess.Popen[str]") -> "subprocess.CompletedProcess[str]":
    """Wait for the end of a run; return its exit code and its output."""
    stdout, stderr = run.communicate()
    return subprocess.CompletedProcess(run.args, run.returncode, stdout, stderr)
