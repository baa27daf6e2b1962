"""Runs that a signal stops, and runs with workers: no program is left behind, and none runs for nothing."""

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import sleep

import pytest

from tests.pipe.processes import marked_environment, processes_with

_ASKED = ["parity.operations.read_reward", "parity.operations.reason_code"]
_COMMAND = [sys.executable, "-m", "pytest", "--pyargs", *_ASKED, "--profile", "quick", "-p", "no:cacheprovider"]
_PROGRAM = """
import json, pathlib, sys, time
def log(word):
    with open(sys.argv[1], "a") as file:
        file.write(word + "\\n")
log("start")
sys.stdin.readline()
print(json.dumps({"hello": {"name": "x", "operations": ["reason_code", "read_reward"]}}), flush=True)
for line in sys.stdin:
    log("asked")
    if sys.argv[2:] == ["hang"]:
        time.sleep(3600)
    print(json.dumps({"id": json.loads(line)["id"], "value": None}), flush=True)
log("end")
"""


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """What the program writes down."""
    return tmp_path / "log"


def command(log: Path, *arguments: str) -> list[str]:
    """The command of a run of the suite with the program."""
    program = log.with_name("program.py")
    program.write_text(_PROGRAM)
    return [*_COMMAND, "--runner-cmd", " ".join([sys.executable, "-I", "-S", str(program), str(log), *arguments])]


@contextmanager
def started(line: list[str], folder: Path, *ignored: signal.Signals) -> Iterator[subprocess.Popen[str]]:
    """A run that ignores these signals and no others, whatever these tests were started with; it does not stay."""
    handlers = {each: each in ignored for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    set_up = "".join(
        f"signal.signal({each}, signal.{'SIG_IGN' if handlers[each] else 'SIG_DFL'}); " for each in handlers
    )
    first = [sys.executable, "-c", f"import os, signal, sys; {set_up}os.execv(sys.argv[1], sys.argv[1:])"]
    with subprocess.Popen([*first, *line], stdout=subprocess.PIPE, text=True, cwd=folder) as run:
        try:
            yield run
        finally:
            run.kill()


def wait_for(word: str, log: Path, run: subprocess.Popen[str]) -> None:
    """Until the program has written a word down; the run must not end before that."""
    while not log.exists() or word not in log.read_text():
        assert run.poll() is None
        sleep(0.05)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize(
    ("workers", "ignored"),
    [("0", []), ("2", []), ("2", [signal.SIGINT])],
    ids=["alone", "workers", "workers-in-the-background"],
)
def test_stopped_by_a_signal(
    number: signal.Signals,
    workers: str,
    ignored: list[signal.Signals],
    log: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The program is ended in the middle of a question, and the folder of its cases is removed."""
    mark = marked_environment(monkeypatch)
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setenv("TMPDIR", str(scratch))

    options = ["-n", workers, "--case-timeout", "600", "-k", "test_reward_txt"]
    with started([*command(log, "hang"), *options], tmp_path, *ignored) as run:
        wait_for("asked", log, run)
        folders = list(scratch.glob("parity-*"))
        run.send_signal(number)
        run.send_signal(number)
        output, _ = run.communicate()

    assert folders != []
    assert list(scratch.glob("parity-*")) == []
    assert processes_with(mark) == []
    assert run.returncode == 128 + number
    assert f"stopped by {number.name}" in output


def test_a_signal_that_is_ignored_stays_so(log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run that was started by `nohup` goes on when its terminal is closed."""
    line = [*command(log), "-k", "error_texts"]
    with started(line, tmp_path, signal.SIGHUP) as run:
        wait_for("start", log, run)
        run.send_signal(signal.SIGHUP)
        output, _ = run.communicate()

    assert run.returncode == pytest.ExitCode.TESTS_FAILED
    assert "stopped by" not in output


def test_workers_ask(log: Path, tmp_path: Path) -> None:
    """Where workers ask, the program that has introduced itself to the main process does not stay."""
    subprocess.run([*command(log), "-n", "2", "-k", "error_texts"], capture_output=True, cwd=tmp_path)

    handled_lines = log.read_text().split()
    assert handled_lines[:2] == ["start", "end"]
    assert handled_lines.count("start") == handled_lines.count("end") == 3
