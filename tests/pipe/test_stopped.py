"""Runs stopped by a signal, and runs with workers: no program is left running."""

import shlex
import signal
import subprocess
import sys
from pathlib import Path
from time import sleep

import pytest

from tests.pipe.processes import marked_environment, processes_with
from tests.running import ended, run_pytest, started_pytest

_ASKED = ["parity.operations.read_reward", "parity.operations.reason_code"]
_SUITE = ["--pyargs", *_ASKED, "--profile", "quick", "-p", "no:cacheprovider"]
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
    """Return the file in which the program logs."""
    return tmp_path / "log"


def arguments(log: Path, *given: str) -> list[str]:
    """Return the arguments of a run of the suite with the program."""
    program = log.with_name("program.py")
    program.write_text(_PROGRAM)
    return [*_SUITE, "--runner-cmd", shlex.join([sys.executable, "-I", "-S", str(program), str(log), *given])]


def wait_for(word: str, log: Path, run: "subprocess.Popen[str]") -> None:
    """Wait until the program has logged a word; the run must not end before that."""
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
    """A signal ends the program in the middle of a question, and the folder of its cases is removed."""
    mark = marked_environment(monkeypatch)
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setenv("TMPDIR", str(scratch))

    options = ["-n", workers, "--case-timeout", "600", "-k", "test_reward_txt"]
    with started_pytest(*arguments(log, "hang"), *options, cwd=tmp_path, ignored=ignored) as run:
        wait_for("asked", log, run)
        folders = list(scratch.glob("parity-*"))
        run.send_signal(number)
        run.send_signal(number)
        done = ended(run)

    assert folders != []
    assert list(scratch.glob("parity-*")) == []
    assert processes_with(mark) == []
    assert done.returncode == 128 + number
    assert f"stopped by {number.name}" in done.stdout


def test_a_signal_that_is_ignored_stays_so(log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run under `nohup` continues when its terminal is closed."""
    with started_pytest(*arguments(log), "-k", "reason_code", cwd=tmp_path, ignored=[signal.SIGHUP]) as run:
        wait_for("start", log, run)
        run.send_signal(signal.SIGHUP)
        done = ended(run)

    assert done.returncode == pytest.ExitCode.TESTS_FAILED
    assert "stopped by" not in done.stdout


def test_workers_ask(log: Path, tmp_path: Path) -> None:
    """With workers, the main process ends its own program after the hello."""
    run_pytest(*arguments(log), "-n", "2", "-k", "reason_code", cwd=tmp_path)

    handled_lines = log.read_text().split()
    assert handled_lines[:2] == ["start", "end"]
    assert handled_lines.count("start") == handled_lines.count("end") == 3
