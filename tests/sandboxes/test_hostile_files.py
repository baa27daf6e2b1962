"""Tests that hostile files cannot attack the host when files are transferred."""

import contextlib
from pathlib import Path

import pytest

from parity.driver.sandbox import Sandbox, TransferError
from tests.sandboxes.kinds import Kind, marker, processes

# Each attempt is limited by itself, so that the machine survives a failing test.


def test_symlinks_do_not_lead_out_of_the_logs(kind: Kind, tmp_path: Path) -> None:
    """Symlinks that lead out of the logs are left out, and hard links become separate files."""
    script = """
        mkdir -p /logs/a /outside && echo 1 > /outside/file && cd /logs && ln /outside/file hard && echo 2 > a/b
        ln -s /etc/passwd absolute; ln -s ../../../../../../etc/passwd climbing; ln -s a/../../x hidden
        ln -s a/b inside; ln -s . loop; ln -s .. up; mkfifo pipe
    """

    async def run(sandbox: Sandbox) -> None:
        await sandbox.exec(script)
        await sandbox.get("/logs", tmp_path / "logs", directory=True)

    (tmp_path / "logs").mkdir()
    kind.run(run)

    assert sorted(path.name for path in (tmp_path / "logs").iterdir()) == ["a", "hard", "inside", "loop"]
    assert (tmp_path / "logs" / "hard").read_text() == "1\n"
    assert (tmp_path / "logs" / "hard").stat().st_nlink == 1


@pytest.mark.parametrize(
    "make",
    [
        "truncate -s 5G reward.txt || truncate -s 300M reward.txt",
        "dd if=/dev/zero of=reward.txt bs=1M count=5000",
    ],
    ids=lambda make: str(make).partition(" ")[0],
)
def test_huge_reward_file_is_refused_by_the_transfer(kind: Kind, tmp_path: Path, make: str) -> None:
    """A reward file of five gigabytes is refused; the apparent size of a sparse file is used."""

    async def run(sandbox: Sandbox) -> None:
        await sandbox.exec(f"mkdir -p /logs && cd /logs && {{ {make}; }}", timeout=60)
        with pytest.raises(TransferError, match=r"^/logs: more than 268,435,456 bytes"):
            await sandbox.get("/logs", tmp_path / "logs", directory=True)
        with pytest.raises(TransferError, match=r"^/logs/reward.txt: more than 268,435,456 bytes"):
            await sandbox.get("/logs/reward.txt", tmp_path / "reward.txt", directory=False)

    (tmp_path / "logs").mkdir()

    kind.run(run, storage_mb=320)

    assert not list(tmp_path.rglob("reward.txt"))


_REPLACES_PROGRAMS = """
    printf '#!/bin/sh\\ngrep CapEff /proc/self/status > /logs/rights\\n' > /tmp/evil && chmod +x /tmp/evil
    for name in bin usr lib; do rm -rf /$name; mkdir -p /$name; cp /tmp/evil /$name/bash; cp /tmp/evil /$name/tar; done
    echo /tmp/evil.so > /etc/ld.so.preload; cp /tmp/evil /tmp/evil.so; cp /tmp/evil /etc/nsswitch.conf
    mkdir -p /root/.pyenv /logs; cp /tmp/evil /tarfile.py; echo 1 > /logs/reward.txt
"""


def test_transfer_runs_no_program_from_the_sandbox(local: Kind, tmp_path: Path) -> None:
    """A transfer does not use programs, libraries or settings in the sandbox, which a task may have replaced."""

    async def run(sandbox: Sandbox) -> None:
        await sandbox.exec(f"{{ {_REPLACES_PROGRAMS}}} 2>/dev/null")
        await sandbox.put(environment_file, "/tests/file")
        await sandbox.get("/tests", tmp_path / "tests", directory=True)
        await sandbox.get("/logs", tmp_path / "logs", directory=True)

    environment_file = tmp_path / "file"
    environment_file.write_text("1")
    (tmp_path / "logs").mkdir()
    (tmp_path / "tests").mkdir()

    local.run(run)

    assert [path.name for path in (tmp_path / "logs").iterdir()] == ["reward.txt"]
    assert (tmp_path / "tests" / "file").read_text() == "1"


@pytest.mark.parametrize(
    "make",
    [
        "mkfifo reward.txt",
        "ln -s /dev/zero reward.txt",
        "ln -s /proc/1/environ reward.txt",
        "ln -s /proc/self/fd/1 reward.txt",
        "ln -s reward.txt reward.txt",
        "mkfifo pipe; ln -s pipe reward.txt",
        "python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind(\"reward.txt\")'",
    ],
)
def test_pipe_or_device_is_not_read(local: Kind, tmp_path: Path, make: str) -> None:
    """A pipe or device is refused as a file and left out of a directory, without waiting for content."""

    async def run(sandbox: Sandbox) -> None:
        await sandbox.exec(f"mkdir -p /logs && cd /logs && {make}")
        with pytest.raises(TransferError, match=r"^/logs/reward.txt: "):
            await sandbox.get("/logs/reward.txt", tmp_path / "reward.txt", directory=False)
        await sandbox.get("/logs", tmp_path / "logs", directory=True)

    (tmp_path / "logs").mkdir()

    local.run(run)

    assert not (tmp_path / "reward.txt").exists()
    assert not (tmp_path / "logs" / "reward.txt").is_file()


def test_files_may_change_while_they_are_transferred(local: Kind, tmp_path: Path) -> None:
    """Files and directories may change while they are transferred, and nothing outside the logs is transferred."""
    script = """
        mkdir -p /logs/real && cd /logs && echo 1 > real/file && ln -s /proc/1/root other
        (while :; do echo more >> grows; done >/dev/null 2>&1 &)
        (while :; do head -c 1M /dev/zero > shrinks; : > shrinks; done >/dev/null 2>&1 &)
        (while :; do mv -T real x; mv -T other real; mv -T x other; done >/dev/null 2>&1 &)
    """

    async def run(sandbox: Sandbox) -> None:
        await sandbox.exec(script)
        for number in range(5):
            (tmp_path / str(number)).mkdir()
            await sandbox.get("/logs", tmp_path / str(number), directory=True)

    local.run(run)

    names = {path.name for path in tmp_path.rglob("*") if path.is_file()}
    assert names <= {"grows", "shrinks", "file"}


@pytest.mark.parametrize(
    "script",
    [
        "(setsid bash -c 'while :; do kill -STOP -1; done' >/dev/null 2>&1 &); sleep {0} &",
        # bash is not used, because it retries for 15 seconds if it cannot fork.
        "perl -e 'for (1..2000) {{ $_ = fork // exit; $_ or exec qw(sleep {0}) }}'",
    ],
    ids=["every process is stopped", "no process is left"],
)
def test_files_are_transferred_while_processes_are_stopped(local: Kind, tmp_path: Path, script: str) -> None:
    """Files are transferred although a program stops every process that it sees, or has used up all processes."""
    mark = marker()

    async def run(sandbox: Sandbox) -> None:
        with contextlib.suppress(RuntimeError):  # the command may be stopped itself
            await sandbox.exec(script.format(mark), timeout=10)
        for number in range(10):
            await sandbox.put(tmp_path / "source", "/tmp/source")
            await sandbox.get("/tmp/source", tmp_path / str(number), directory=False)

    (tmp_path / "source").write_text("1")

    local.run(run)

    assert [(tmp_path / str(number)).read_text() for number in range(10)] == ["1"] * 10
    assert processes(mark) == 0


_LEASE = r"""
mkdir -p /logs && cd /logs && echo 0.5 > reward.txt && touch other
(setsid perl -e 'open F, "+<", "reward.txt"; $SIG{IO} = "IGNORE"; fcntl(F, 1024, 1) and rename "other", "held";
    sleep @MARK@' >/dev/null 2>&1 &)
until [ -e held ]; do sleep 0.02; done
"""
"""Holds a lease on reward.txt, so that nobody else can open the file without waiting."""


def test_file_that_cannot_be_read_is_logged(local: Kind, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """A file that cannot be opened is left out of a download, and the log names it with the reason."""

    async def run(sandbox: Sandbox) -> None:
        await sandbox.exec(_LEASE.replace("@MARK@", "600"), timeout=60)
        await sandbox.get("/logs", tmp_path / "logs", directory=True)

    (tmp_path / "logs").mkdir()

    local.run(run)

    assert [path.name for path in (tmp_path / "logs").iterdir()] == ["held"]
    assert [message for message in caplog.messages if "reward.txt" in message and "Cannot open" in message]
