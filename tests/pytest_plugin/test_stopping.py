"""A signal ends a run at any moment, and interrupted answers are not judged."""

import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from time import sleep

import pytest

from tests.pytest_plugin.foreign import ROOT, Run
from tests.running import ended, started_pytest

_STOPPED = 128 + signal.SIGTERM
_HERE = "tests.pytest_plugin.stopped_runners"
_SUITE = ("--pyargs", "parity", "--profile", "quick")


@pytest.fixture(autouse=True)
def takes_ctrl_c() -> Iterator[None]:
    """Handle Ctrl-C, which a background process of a shell ignores."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize(
    ("runner", "asked", "code", "reason"),
    [
        ("CatchesAll", "reason_code", _STOPPED, "stopped by SIGTERM"),
        ("CatchesCtrlC", "reason_code", pytest.ExitCode.INTERRUPTED, "KeyboardInterrupt"),
        ("InATrial", "test_any_trial", _STOPPED, "stopped by SIGTERM"),
        ("WhileShrinking", "test_numbers", _STOPPED, "stopped by SIGTERM"),
    ],
)
def test_an_interrupt_is_not_lost(runner: str, asked: str, code: int, reason: str, run: Run) -> None:
    """An interrupt ends the run, even if the runner has caught it, or Hypothesis is at work."""
    ran = run(*_SUITE, "-k", asked, "--runner", f"{_HERE}:{runner}")

    assert ran.returncode == code, ran.stdout + ran.stderr
    assert reason in ran.stdout
    assert "DIVERGENCE" not in ran.stdout


def _started(folder: Path, *arguments: str, **more: str) -> "AbstractContextManager[subprocess.Popen[str]]":
    variables = {"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin", "PARITY_CACHE": str(folder / "cache"), **more}
    return started_pytest("-p", "no:cacheprovider", *_SUITE, *arguments, cwd=folder, environment=variables)


def _stopped(run: "subprocess.Popen[str]", begun: Path) -> "subprocess.CompletedProcess[str]":
    """Stop a run when a file exists; the run must not end before that."""
    while not begun.exists():
        assert run.poll() is None
        sleep(0.05)
    run.send_signal(signal.SIGTERM)
    return ended(run)


def _script(path: Path, lines: str) -> Path:
    path.write_text(f"#!/bin/sh\n{lines}\n")
    path.chmod(0o755)
    return path


def test_while_the_reference_thinks(tmp_path: Path) -> None:
    """A signal ends a run while a separate reference takes its time, without a divergence."""
    begun = tmp_path / "begun"
    thinks = f'[ -e "{begun}" ] && exit; touch "{begun}"; exec sleep 86400'
    python = _script(tmp_path / "python", f'"{sys.executable}" "$@" | {{ sed -u 4q; {thinks}; }}')

    with _started(tmp_path, "-k", "aggregate", "--reference", str(python), "--report", "report.json") as run:
        done = _stopped(run, begun)

    assert done.returncode == _STOPPED
    assert "stopped by SIGTERM" in done.stdout
    assert "DIVERGENCE" not in done.stdout


def test_while_its_environment_is_made(tmp_path: Path) -> None:
    """A signal ends a run while it makes the reference's environment, and leaves only the lock."""
    with socket.create_server(("127.0.0.1", 0)) as index:  # accepts, and never answers
        address = f"http://127.0.0.1:{index.getsockname()[1]}"
        with _started(tmp_path, "--reference", "0.24.0", UV_DEFAULT_INDEX=address, UV_NO_CACHE="1") as run:
            connection, _ = index.accept()
            run.send_signal(signal.SIGTERM)
            done = ended(run)
            connection.close()

    assert done.returncode == _STOPPED
    assert done.stdout.strip(" !\n") == "_pytest.outcomes.Exit: stopped by SIGTERM"
    installing, stopped = done.stderr.splitlines()
    assert installing.startswith("parity: installing harbor 0.24.0 for --reference, once, into ")
    assert stopped == "Exit: stopped by SIGTERM"
    assert [path.suffix for path in (tmp_path / "cache").iterdir()] == [".lock"]
