"""A program is ended with all that it started, whatever interrupts the kit, and its output is bounded at all times."""

import os
import shlex
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from parity.operations.answers import Crash
from parity.operations.files.privileges import without_file_privileges
from parity.runners.pipe import PipeRunner, program
from parity.runners.pipe.program import RunnerProgram
from tests.pipe.processes import marked_environment, processes_with
from tests.pipe.unruly_program import INTRODUCTION


@contextmanager
def interrupt() -> Iterator[None]:
    """Ctrl-C in a moment, which is expected to arrive."""

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
    """The command of a shell script that says hello first."""
    return f"sh -c {shlex.quote(f'echo {shlex.quote(INTRODUCTION)}; {script}')}"


def test_interrupted_at_the_hello(monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that has not said hello yet is not left behind."""
    mark = marked_environment(monkeypatch)

    with interrupt():
        PipeRunner("sleep 3600")

    assert processes_with(mark) == []


def test_interrupted_at_a_question(monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that thinks is ended, and not blamed for an answer that nobody waits for any more."""
    mark = marked_environment(monkeypatch)
    runner = PipeRunner(shell("read greeting; read question; sleep 1; echo late; sleep 3600"))

    with interrupt():
        runner.answer("reason_code", ("x",), 600)
    left = processes_with(mark)
    complaint = runner.close()

    assert (left, complaint) == ([], None)


def test_interrupted_at_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that does not end is ended all the same."""
    mark = marked_environment(monkeypatch)
    runner = PipeRunner(shell("sleep 3600"))

    with interrupt():
        runner.close()

    assert processes_with(mark) == []


def test_it_does_not_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """What does not end with its input is reported, and ended."""
    mark = marked_environment(monkeypatch)
    monkeypatch.setattr(program, "_GRACE", 0.5)
    runner = PipeRunner(shell("sleep 3600"))

    complaint = runner.close()

    assert complaint == "it did not end within 0.5 s of the end of its input"
    assert processes_with(mark) == []


def test_it_leaves_a_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that has ended, but not all that it started, is distinguished, and what is left is ended."""
    mark = marked_environment(monkeypatch)
    runner = PipeRunner(shell("sleep 3600 & cat > /dev/null"))

    complaint = runner.close()

    assert complaint == "it left a process behind that holds its output"
    assert processes_with(mark) == []


def test_no_other_group_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Once the program is reaped its number may be another's."""
    killed = []

    def kill_one(group: int, number: int) -> None:
        killed.append(group)
        os.kill(group, number)

    monkeypatch.setattr(os, "killpg", kill_one)
    started = RunnerProgram(["sleep", "3600"])

    started.kill()
    started.kill()

    assert len(killed) == 1


def test_what_cannot_be_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is not waited for for ever."""
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
def test_a_flood_instead_of_reading(script: str, reason: str) -> None:
    """What a program writes is bounded also while it does not read the question."""
    begins_to_read = "read greeting; dd bs=1 count=1 > /dev/null 2>&1"
    runner = PipeRunner(shell(f"{begins_to_read}; {script}"))

    received = runner.answer("reason_code", ("x" * 1_000_000,), 600)
    runner.close()

    assert received == Crash(reason)


def test_no_user_ids(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a system has no privileges to put aside, it is not asked whose they are."""
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.delattr(os, "geteuid")

    with without_file_privileges():
        done = True

    assert done
