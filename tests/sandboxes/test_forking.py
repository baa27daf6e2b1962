"""The helper forks processes that behave like those of `subprocess`, and its end blocks nothing."""

import asyncio
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from parity.driver.sandbox import SandboxSpec
from parity.driver.sandboxes import forking
from parity.driver.sandboxes.entering import Entrance, Request
from parity.driver.sandboxes.forking import Forked, fork
from parity.driver.sandboxes.joining import PR_SET_CHILD_SUBREAPER, prctl
from parity.driver.sandboxes.local import LocalSandbox
from parity.driver.sandboxes.starting import end

_MANY = 100

local = pytest.mark.needs("local")


def _spec(folder: Path) -> SandboxSpec:
    return SandboxSpec("forking", "forking", folder)


def _kill_the_helper() -> None:
    helper = forking._HELPERS[os.getpid()]._process
    helper.kill()
    helper.wait()


def _what_forks_in(sandbox: LocalSandbox) -> Forked:
    assert sandbox._entrance is not None
    assert sandbox._entrance._begun is not None
    return sandbox._entrance._begun[0]


def _kill_what_forks_in(sandbox: LocalSandbox) -> None:
    signal.pidfd_send_signal(_what_forks_in(sandbox)._descriptor, signal.SIGKILL)


def test_nothing_is_loaded_that_works_after_each_fork() -> None:
    """The helper imports neither `logging` nor `threading`, which do work after each fork."""
    source = "import sys, parity.driver.sandboxes.helper; print(sys.modules.keys() & {'logging', 'threading'})"

    loaded = subprocess.run([sys.executable, "-I", "-c", source], capture_output=True, text=True, check=True).stdout

    assert loaded == "set()\n"


def test_nothing_is_imported_in_a_sandbox() -> None:
    """In a sandbox, nothing is imported, even if it has files with the names of modules."""
    source = (
        "from contextlib import suppress; from parity.driver.sandboxes.joining import join\n"
        "with suppress(OSError): join(9999, 0)\n"
        "import wave\n"
    )

    tried = subprocess.run([sys.executable, "-I", "-c", source], capture_output=True, text=True, check=False)

    assert tried.stderr.splitlines()[-1] == "ModuleNotFoundError: No module named 'wave'"


@local
def test_signals_are_as_in_a_container(tmp_path: Path) -> None:
    """Commands have the default handlers of signals, whatever the kit's process and its shell ignore."""

    async def run() -> str:
        sandbox = LocalSandbox(_spec(tmp_path))
        try:
            await sandbox.start()
            return (await sandbox.exec('trap; yes | head -1; echo "${PIPESTATUS[@]}"')).stdout
        finally:
            await sandbox.stop()

    ignored = signal.signal(signal.SIGUSR1, signal.SIG_IGN)
    try:
        assert asyncio.run(run()) == "trap -- '' SIGXFSZ\ny\n141 0\n"
    finally:
        signal.signal(signal.SIGUSR1, ignored)


@local
@pytest.mark.parametrize(
    ("making", "message"),
    [
        (Request(makes=True, folders=("/usr/made",)), "cannot be set up: .*/usr/made"),
        (Request(("/bin/sh", "-c", "kill -9 $$"), makes=True), "cannot be set up: code "),
    ],
    ids=["refused", "killed"],
)
def test_nothing_runs_in_what_is_not_set_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, making: Request, message: str
) -> None:
    """If the set-up of a sandbox fails or is killed, the start raises an error."""
    monkeypatch.setattr(LocalSandbox, "_making", lambda sandbox: making)

    async def run() -> None:
        sandbox = LocalSandbox(_spec(tmp_path))
        try:
            await sandbox.start()
        finally:
            await sandbox.stop()

    with pytest.raises(RuntimeError, match=message):
        asyncio.run(run())


@local
def test_many_at_once_are_apart(tmp_path: Path) -> None:
    """Many concurrent commands each have their own output and exit code."""

    async def run() -> list[tuple[int, str]]:
        sandbox = LocalSandbox(_spec(tmp_path))
        try:
            await sandbox.start()
            ran = await asyncio.gather(*(sandbox.exec(f"echo {number}; exit {number}") for number in range(_MANY)))
        finally:
            await sandbox.stop()
        return [(each.code, each.stdout) for each in ran]

    assert asyncio.run(run()) == [(number, f"{number}\n") for number in range(_MANY)]


@local
def test_a_command_is_lost_with_what_has_forked_it(tmp_path: Path) -> None:
    """If the process that forked a command is killed, the command fails, and the next one works."""

    async def run() -> tuple[int, str]:
        sandbox = LocalSandbox(_spec(tmp_path))
        try:
            await sandbox.start()
            asked = asyncio.ensure_future(sandbox.exec("touch /tmp/begun; sleep infinity"))
            while (await sandbox.exec("[ -e /tmp/begun ]")).code:
                await asyncio.sleep(0.01)
            _kill_what_forks_in(sandbox)
            return (await asked).code, (await sandbox.exec("echo again")).stdout
        finally:
            await sandbox.stop()

    assert asyncio.run(run()) == (128 + signal.SIGKILL, "again\n")


@local
def test_a_sandbox_outlives_the_helper(tmp_path: Path) -> None:
    """If the helper is killed, the sandbox's commands end normally, and a new helper transfers files."""
    (tmp_path / "file").write_text("new")

    async def run() -> tuple[int, str]:
        sandbox = LocalSandbox(_spec(tmp_path))
        try:
            await sandbox.start()
            waits = "touch /tmp/begun; until [ -e /tmp/file ]; do sleep 0.01; done; exit 3"
            asked = asyncio.ensure_future(sandbox.exec(waits))
            while (await sandbox.exec("[ -e /tmp/begun ]")).code:
                await asyncio.sleep(0.01)
            _kill_the_helper()
            await sandbox.upload(tmp_path / "file", "/tmp/file")
            return (await asked).code, (await sandbox.exec("cat /tmp/file")).stdout
        finally:
            await sandbox.stop()

    assert asyncio.run(run()) == (3, "new")


@local
def test_a_command_that_nobody_waits_for_goes_on(tmp_path: Path) -> None:
    """A command that ran into its timeout keeps running, as in a container."""

    async def run() -> int:
        sandbox = LocalSandbox(_spec(tmp_path))
        try:
            await sandbox.start()
            with pytest.raises(RuntimeError, match="timed out"):
                await sandbox.exec("until [ -e /tmp/go ]; do sleep 0.01; done; touch /tmp/gone", timeout=1)
            return (await sandbox.exec("touch /tmp/go; until [ -e /tmp/gone ]; do sleep 0.01; done; exit 4")).code
        finally:
            await sandbox.stop()

    assert asyncio.run(run()) == 4


def test_a_sandbox_that_cannot_be_entered_says_so(tmp_path: Path) -> None:
    """A sandbox that cannot be entered raises an error with the kernel's reason."""
    itself = os.pidfd_open(os.getpid())
    entrance = Entrance(itself, None)
    try:
        with pytest.raises(RuntimeError, match=r"the sandbox cannot be entered: \w+Error: "):
            entrance.fork()
    finally:
        entrance.close()
        os.close(itself)

    with pytest.raises(RuntimeError, match="the sandbox does not run"):
        entrance.fork()


@local
def test_a_command_that_is_cut_off_does_not_keep_its_sandbox(tmp_path: Path) -> None:
    """An interrupted command does not block the end of its sandbox, even if its new parent ignores its end."""

    async def run() -> None:
        sandbox = LocalSandbox(_spec(tmp_path))
        try:
            await sandbox.start()
            with pytest.raises(RuntimeError, match="timed out"):
                await sandbox.exec("sleep infinity", timeout=1)
        finally:
            await sandbox.stop()

    prctl(PR_SET_CHILD_SUBREAPER, 1)
    try:
        asyncio.run(run())
    finally:
        prctl(PR_SET_CHILD_SUBREAPER, 0)


def test_what_cannot_join_ends() -> None:
    """A carrier that cannot join a sandbox ends with a message and exit code 1, which can be read repeatedly."""
    reader, writer = os.pipe()
    try:
        process = fork("carrier", (reader,), 1 << 20, "fetch-folder", "/")
        assert process.stderr is not None
        said = process.stderr.read()
        process.wait()
        end(process)
    finally:
        os.close(reader)
        os.close(writer)

    assert said
    assert (process.wait(), process.wait(0), process.returncode) == (1, 1, 1)
    process.kill()


def test_whoever_blocks_the_signal_of_an_end_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """The helper works even if its parent blocks SIGCHLD."""
    monkeypatch.setattr(forking, "_HELPERS", {})
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD})
    try:
        with open(os.devnull) as nothing:
            process = fork("carrier", (nothing.fileno(),), 1 << 20, "fetch-folder", "/")
        process.wait()
        end(process)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)

    assert process.returncode == 1


@local
def test_a_process_may_be_waited_for_and_killed(tmp_path: Path) -> None:
    """Several threads may wait for a process while it is killed."""

    async def run() -> Forked:
        sandbox = LocalSandbox(_spec(tmp_path))
        try:
            await sandbox.start()
            process = _what_forks_in(sandbox)
            with pytest.raises(subprocess.TimeoutExpired):
                process.wait(0)
            threads = [threading.Thread(target=process.wait) for _ in range(8)]
            for thread in threads:
                thread.start()
            process.kill()
            for thread in threads:
                thread.join()
        finally:
            await sandbox.stop()
        return process

    assert asyncio.run(run()).returncode == -signal.SIGKILL
