"""Tests that the first signal cancels a job of `parity run`, and the second one ends the program."""

import os
import signal
import subprocess
import sys
import time
import uuid
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.run.actions import document
from tests.run.processes import left_running, marked_processes

_PROGRAM = """\
import asyncio, sys
from pathlib import Path
from parity.command import main, shared_options
from parity.operations.scenarios import scripted_sandbox
from parity.operations.scenarios.scripted_sandbox import Effect, ScriptedSandboxes, Script

async def wait(seconds, limit):
    Path("stuck").touch()
    await asyncio.sleep(seconds)

scripted_sandbox.ScriptedSandbox._wait = staticmethod(wait)
STUCK = {{3: Effect("wait", number=3600)}}
LEFT = [{{"/logs/verifier/reward.txt": "1"}}]
script = lambda name, run: Script(STUCK if name.startswith("two") else {{}}, tests=LEFT)
kind = ScriptedSandboxes(script, lambda trial: {{}})
{more}
shared_options.open_sandboxes = lambda name: kind
sys.exit(main(["run", "data", "--job-name", "j", *sys.argv[1:]]))
"""

_STUCK_STOP = """\
class Stuck:
    name = "stuck"
    def __init__(self): self.inner = kind
    def preflight(self): pass
    def refusal(self, spec): return None
    def make(self, spec):
        sandbox = self.inner.make(spec)
        if spec.name.startswith("two"):
            import asyncio
            sandbox.stop = lambda: asyncio.sleep(3600)
        return sandbox
kind = Stuck()
"""


def _start(more: str = "", *options: str) -> "subprocess.Popen[str]":
    """Start a job with two tasks. The second task never ends."""
    process = subprocess.Popen(
        [sys.executable, "-c", _PROGRAM.format(more=more), *options], stderr=subprocess.PIPE, stdout=subprocess.PIPE,
        text=True,
    )  # fmt: skip
    while not (any(Path("jobs/j").glob("one__*/result.json")) and Path("stuck").exists()):
        assert process.poll() is None
        time.sleep(0.01)
    return process


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
@pytest.mark.parametrize("option", [(), ("--quiet",)])
def test_first_signal_cancels_the_job(
    dataset: Path, number: signal.Signals, code: int, option: tuple[str, ...]
) -> None:
    """After the first signal, finished trials are written, and all others are cancelled."""
    process = _start("", *option)

    process.send_signal(number)
    out, err = process.communicate(timeout=600)

    stats = document("jobs/j/result.json")["stats"]
    lines = [
        "stopping; to end at once, press Ctrl-C again",
        "stopped: 1 of 2 trials have ended; to resume, run the same command with --job-name j",
    ]
    assert (process.returncode, out) == (code, "")
    # The first trial's result is written before its line is printed.
    assert [line for line in err.splitlines() if "one__" not in line] == lines[: 1 if option else 2]
    assert (stats["n_completed_trials"], stats["n_cancelled_trials"]) == (2, 1)


_BLOCKED_STOP = _STUCK_STOP.replace("asyncio.sleep(3600)", "__import__('time').sleep(3600)")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("stop", [_STUCK_STOP, _BLOCKED_STOP], ids=["waiting", "blocked"])
def test_second_signal_ends_the_program_at_once(dataset: Path, stop: str, number: signal.Signals) -> None:
    """A second signal ends the program, even if a sandbox does not stop, or blocks the event loop."""
    process = _start(stop)
    assert process.stderr is not None
    process.send_signal(number)
    while "to end at once" not in process.stderr.readline():
        assert process.poll() is None
    time.sleep(0.5)
    waits = process.poll() is None

    process.send_signal(number)
    _, err = process.communicate(timeout=600)

    assert waits
    assert process.returncode == 128 + number
    assert err.splitlines()[-1] == "ended at once"


def test_second_signal_ends_the_program_with_full_output(dataset: Path) -> None:
    """A second signal ends the program, even if standard error is a full pipe."""
    process = _start(_STUCK_STOP)
    assert process.stderr is not None
    with open(f"/proc/{process.pid}/fd/2", "wb", buffering=0) as pipe:
        os.set_blocking(pipe.fileno(), False)
        while pipe.write(bytes(1 << 12)):
            pass

    while process.poll() is None:
        process.send_signal(signal.SIGTERM)
        time.sleep(0.5)

    process.communicate()
    assert process.returncode == 143


def test_terminal_shows_running_trials_and_is_restored(dataset: Path) -> None:
    """On a terminal, running trials are shown, and the terminal's settings are restored."""
    ours, theirs = os.openpty()
    program = _PROGRAM.format(more="STUCK.clear()")

    ran = subprocess.run(
        [sys.executable, "-c", program], stderr=theirs, stdout=subprocess.PIPE, env={**os.environ, "TERM": "xterm"}
    )

    os.close(theirs)
    output = os.read(ours, 1 << 16).decode()
    os.close(ours)
    assert ran.returncode == 0
    assert "2/2" in output
    assert output.rfind("\x1b[?25h") > output.rfind("\x1b[?25l")


_INTERRUPTIBLE = """\
import runpy, signal
signal.signal(signal.SIGINT, signal.default_int_handler)  # whoever runs this test may ignore it
runpy.run_module("parity", run_name="__main__")
"""

_AT_AN_IMPORT = """\
import builtins, os, runpy, signal, sys
real, awaited = builtins.__import__, {sys.argv.pop(1)}
signal.signal(signal.SIGINT, signal.default_int_handler)  # whoever runs this test may ignore it

def interrupted(name, *arguments, **options):
    if name in awaited:
        awaited.clear()
        os.kill(os.getpid(), signal.SIGINT)
    return real(name, *arguments, **options)

builtins.__import__ = interrupted
runpy.run_module("parity", run_name="__main__")
"""


@pytest.mark.parametrize(
    "module",
    [
        "parity.command",
        "asyncio",
        "parity.driver.job",
        "parity.driver.sandboxes.preflight",
    ],
)
def test_interrupt_during_an_import_ends_the_program_quietly(dataset: Path, module: str) -> None:
    """An interrupt during any import ends the program without a traceback, and no file or process is left."""
    command = [sys.executable, "-c", _AT_AN_IMPORT, module, "run", "data", "-i", "nothing"]
    ran = subprocess.run(command, capture_output=True, text=True)

    assert (ran.returncode, ran.stdout, ran.stderr) == (130, "", "")
    assert not Path("jobs").exists()


@pytest.mark.needs("local")
def test_interrupt_does_not_reach_bubblewrap(dataset: Path) -> None:
    """An interrupt does not reach bubblewrap, because its child would then wait forever."""
    mark = f"tried{uuid.uuid4().hex[:8]}"
    with TemporaryDirectory() as directory:
        os.chmod(directory, 0o777)  # bubblewrap may be started as another user
        program, go, ended = (Path(directory, name) for name in ("bwrap", "go", "ended"))
        program.write_text(f"#!/bin/sh\nuntil [ -e {go} ]; do sleep 0.1; done; touch {ended}\n")
        program.chmod(0o755)
        process = subprocess.Popen(
            [sys.executable, "-c", _INTERRUPTIBLE, "run", "data"],
            env={**os.environ, "MARK": mark, "PATH": f"{directory}:{os.environ['PATH']}"},
            start_new_session=True,
        )
        while not any(str(program) in line for line in marked_processes(mark)):
            assert process.poll() is None
            time.sleep(0.01)

        os.killpg(process.pid, signal.SIGINT)
        process.wait()
        go.touch()

        assert process.returncode == 130
        assert left_running(mark, docker=False) == []
        assert ended.exists()
