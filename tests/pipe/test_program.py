"""Tests that a program is ended with all its child processes even if the kit is interrupted, and its output is
limited.
"""

import json
import os
import shlex
import signal
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from parity.operations.answers import Crash
from parity.runners.pipe import PipeRunner, program
from parity.runners.pipe.program import RunnerProgram
from tests.pipe.processes import marked_environment, processes_with
from tests.pipe.unruly_program import INTRODUCTION


@contextmanager
def interrupt() -> Iterator[None]:
    """Send Ctrl-C after a moment, and expect a KeyboardInterrupt."""

    def raise_interrupt(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, raise_interrupt)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.5)
        with pytest.raises(KeyboardInterrupt):
            yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)


def shell(script: str) -> str:
    """Return the command of a shell script that sends its hello first."""
    return f"sh -c {shlex.quote(f'echo {shlex.quote(json.dumps(INTRODUCTION))}; {script}')}"


def test_interrupt_at_the_hello_ends_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    """If the kit is interrupted while it waits for the hello, the program is ended."""
    mark = marked_environment(monkeypatch)

    with interrupt():
        PipeRunner("sleep 3600")

    assert processes_with(mark) == []


def test_interrupt_at_a_question_ends_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    """If the kit is interrupted while it waits for an answer, the program is ended without a complaint."""
    mark = marked_environment(monkeypatch)
    runner = PipeRunner(shell("read greeting; read question; sleep 1; echo late; sleep 3600"))

    with interrupt():
        runner.answer("reason_code", ("x",), 600)
    left = processes_with(mark)
    complaint = runner.close()

    assert (left, complaint) == ([], None)


def test_interrupt_at_the_end_kills_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    """If the kit is interrupted while it waits for the program to end, the program is killed."""
    mark = marked_environment(monkeypatch)
    runner = PipeRunner(shell("sleep 3600"))

    with interrupt():
        runner.close()

    assert processes_with(mark) == []


def test_program_that_does_not_end_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that does not end when its input ends is reported and killed."""
    mark = marked_environment(monkeypatch)
    monkeypatch.setattr(program, "_GRACE", 0.5)
    runner = PipeRunner(shell("sleep 3600"))

    complaint = runner.close()

    assert complaint == "it did not end within 0.5 s of the end of its input"
    assert processes_with(mark) == []


def test_child_that_outlives_the_program_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A child process that outlives the program is reported and killed."""
    mark = marked_environment(monkeypatch)
    runner = PipeRunner(shell("sleep 3600 & cat > /dev/null"))

    complaint = runner.close()

    assert complaint == "it left a process behind that holds its output"
    assert processes_with(mark) == []


def test_process_group_is_killed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process group is killed only once, because its id may be reused later."""
    killed = []

    def kill_one(group: int, number: int) -> None:
        killed.append(group)
        os.kill(group, number)

    monkeypatch.setattr(os, "killpg", kill_one)
    started = RunnerProgram(["sleep", "3600"])

    started.kill()
    started.kill()

    assert len(killed) == 1


def test_kit_does_not_wait_forever_for_an_unkillable_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """The kit does not wait forever for a process that cannot be killed."""
    groups = []
    started = RunnerProgram(["sleep", "3600"])
    with monkeypatch.context() as patch:
        patch.setattr(program, "_GRACE", 0.1)
        patch.setattr(os, "killpg", lambda group, number: groups.append(group))

        started.kill()
    still_runs = os.waitpid(groups[0], os.WNOHANG) == (0, 0)
    started.kill()

    assert still_runs


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("cat /dev/zero", "it wrote more than 16 MiB without the end of a line"),
        ("yes", "it wrote more than 16 MiB before it had read the question"),
    ],
)
def test_output_is_limited_while_the_program_does_not_read(script: str, reason: str) -> None:
    """The program's output is limited even while it does not read the question."""
    begins_to_read = "read greeting; dd bs=1 count=1 > /dev/null 2>&1"
    runner = PipeRunner(shell(f"{begins_to_read}; {script}"))

    received = runner.answer("reason_code", ("x" * 1_000_000,), 600)
    runner.close()

    assert received == Crash(reason)


_NODE = """\
file:///runner.mjs:2
function f() { throw new RewardError("no file") }
               ^

RewardError: no file
    at Timeout.f [as _onTimeout] (file:///runner.mjs:2:22)
    at listOnTimeout (node:internal/timers:581:17)
    at process.processTimers (node:internal/timers:519:7) {
  code: 'NONE'
}

Node.js v20.20.2
"""
_SHORT = """\
    ^

Error: no file
    at file:///runner.mjs:2:22

Node.js v20.20.2
"""
_GO = """\
panic: runtime error: index out of range [3] with length 0

goroutine 1 [running]:
main.f(...)
\t/runner.go:2
main.main()
\t/runner.go:3 +0x1a
exit status 2
"""
_JAVA = """\
Exception in thread "main" java.lang.RuntimeException: wrapped
\tat Runner.main(Runner.java:1)
Caused by: java.lang.IllegalStateException: no file
\tat Runner.f(Runner.java:1)
\tat Runner.g(Runner.java:2)
\tat Runner.h(Runner.java:3)
\tat Runner.i(Runner.java:4)
\tat Runner.main(Runner.java:5)
"""
_PYTHON = """\
warning: Exception: slow
loading
Traceback (most recent call last):
  File "runner.py", line 1, in <module>
    raise RewardError("no file")
RewardError: no file
"""


@pytest.mark.parametrize(
    ("written", "reason"),
    [
        pytest.param(
            _NODE, "RewardError: no file | at Timeout.f [as _onTimeout] (file:///runner.mjs:2:22) | ", id="node"
        ),
        pytest.param(_SHORT, "Error: no file | at file:///runner.mjs:2:22 | Node.js v20.20.2", id="short-stack"),
        pytest.param(_GO, "panic: runtime error: index out of range [3] with length 0 | goroutine 1", id="go"),
        pytest.param(
            _JAVA, "Caused by: java.lang.IllegalStateException: no file | at Runner.f(Runner.java:1)", id="java"
        ),
        pytest.param(_PYTHON, "loading | Traceback (most recent call last): | ", id="python"),
        pytest.param("x" * 100_000, "x" * 500 + "…", id="long-line"),
    ],
)
def test_reason_names_the_error_of_the_program(written: str, reason: str) -> None:
    """Of a program that crashed, the reason shows the line that names the error, above the lines of its stack."""
    runner = PipeRunner(shell(f"read greeting; read question; printf %s {shlex.quote(written)} >&2; exit 1"))

    received = runner.answer("reason_code", ("x",), 600)
    runner.close()

    assert isinstance(received, Crash)
    assert received.reason.startswith(f"it ended with exit code 1; on standard error: {reason}")
