"""Tests that containers end even if a program in one stops every process that it sees, including the engine's own."""

import asyncio
import os
import shutil
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from parity.driver.sandbox import Sandbox, TransferError
from parity.driver.sandboxes import transfer as transfers
from tests.run.processes import marked_processes
from tests.run.tasks import write_task
from tests.sandboxes.kinds import IMAGE, Kind, comes_true, containers, running

STOP_ALL = """(setsid bash -c '
    while :; do for process in /proc/[0-9]*; do
        number=${process#/proc/}; [ $number = 1 ] || [ $number = $$ ] || kill -STOP $number
    done; done' >/dev/null 2>&1 &); sleep 5"""


def _name() -> str:
    return f"stopped-{uuid.uuid4().hex[:8]}"


@pytest.mark.parametrize("commands", [(STOP_ALL,), (STOP_ALL, "true")], ids=["its-own", "the-engine's"])
def test_container_with_stopped_processes_ends_with_a_killed_run(docker: Kind, commands: tuple[str, ...]) -> None:
    """If the run is killed, its container is removed, even if processes in the container are stopped."""
    name = _name()
    with running(docker, name, *commands) as run:
        assert run.stdout is not None
        assert run.stdout.readline() == "ready\n"
        assert containers(name)

        os.killpg(run.pid, signal.SIGKILL)

    assert comes_true(lambda: not containers(name), 60)
    assert comes_true(lambda: not marked_processes(name), 60)


@pytest.mark.parametrize("sign", ["the client", "the container"])
def test_container_that_is_being_created_ends_with_a_killed_run(docker: Kind, sign: str) -> None:
    """If the run is killed while it creates a container, the container is removed."""
    name = _name()
    begins: dict[str, Callable[[], bool]] = {
        "the client": lambda: any("docker run" in line for line in marked_processes(f"parity-{name}")),
        "the container": lambda: bool(containers(name)),
    }
    with running(docker, name) as run:
        assert comes_true(begins[sign], 60)

        os.killpg(run.pid, signal.SIGKILL)

    assert comes_true(lambda: not marked_processes(name), 60)
    assert comes_true(lambda: not containers(name), 60)


def test_command_that_never_begins_reaches_its_timeout(docker: Kind) -> None:
    """Commands that never begin reach their timeouts, the sandbox can be stopped, and nothing is left."""
    name = _name()

    async def run(sandbox: Sandbox) -> list[str]:
        with suppress(RuntimeError):  # the command stops itself, too
            await sandbox.exec(STOP_ALL, timeout=3)
        ended = await asyncio.gather(*(sandbox.exec("true", timeout=1) for _ in range(3)), return_exceptions=True)
        return list(map(str, ended))

    assert docker.run(run, name=name) == ["Command timed out after 1 seconds"] * 3
    assert not containers(name)


@pytest.mark.parametrize("upload", [True, False], ids=["upload", "download"])
def test_transfer_that_does_not_end_is_an_error(
    docker: Kind, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, upload: bool
) -> None:
    """A transfer that does not end is killed, and the sandbox can still be used and stopped."""
    monkeypatch.setattr(transfers, "SECONDS", 1)
    stuck = tmp_path / "bin" / "docker"
    stuck.parent.mkdir()
    stuck.write_text(f'#!/bin/sh\n[ "$1" != cp ] || exec sleep 3600\nexec {shutil.which("docker")} "$@"\n')
    stuck.chmod(0o755)
    monkeypatch.setenv("PATH", f"{stuck.parent}:{os.environ['PATH']}")

    async def run(sandbox: Sandbox) -> None:
        transfer = sandbox.put(docker.directory, "/tests") if upload else sandbox.get("/etc", tmp_path, directory=True)
        with pytest.raises(TransferError, match=r"took longer than 1 seconds$"):
            await transfer
        assert (await sandbox.exec("true")).code == 0

    docker.run(run)


def test_job_ends_although_its_tasks_stop_all_processes(docker: Kind, tmp_path: Path) -> None:
    """A job whose tasks stop all processes ends with errors, and nothing is left."""
    name = _name()
    task = write_task(tmp_path / "tasks" / name, solution=STOP_ALL, tests="sleep 1", image=IMAGE)
    settings = task / "task.toml"
    settings.write_text(settings.read_text().replace("timeout_sec = 60", "timeout_sec = 5"))
    command = [sys.executable, "-m", "parity", "run", str(tmp_path / "tasks"), "--sandbox", "docker", "-q"]

    began = time.monotonic()
    ran = subprocess.run([*command, "-o", str(tmp_path / "jobs")], capture_output=True, text=True)

    assert ran.returncode == 1, ran.stderr
    assert time.monotonic() - began < 600
    assert not containers(name)
    assert comes_true(lambda: not marked_processes(name))
