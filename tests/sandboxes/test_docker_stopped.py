"""Containers end although a program inside stops every process that it sees, the engine's included."""

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
from parity.driver.sandboxes import docker as docker_sandboxes
from parity.driver.sandboxes import docker_container
from tests.run.processes import marked_processes
from tests.run.tasks import write_task
from tests.sandboxes.kinds import IMAGE, Kind, comes_true, containers

STOP_ALL = """(setsid bash -c '
    while :; do for process in /proc/[0-9]*; do
        number=${process#/proc/}; [ $number = 1 ] || [ $number = $$ ] || kill -STOP $number
    done; done' >/dev/null 2>&1 &); sleep 5"""

_RUN = """
import asyncio, sys
from tests.sandboxes.kinds import Kind
from tests.sandboxes.test_docker_stopped import STOP_ALL
from parity.driver.sandboxes.docker import DockerSandboxes
from pathlib import Path

async def run():
    kind = Kind(DockerSandboxes(), Path(sys.argv[1]))
    async with kind.started(name=sys.argv[2]) as sandbox:
        for command in sys.argv[3:]:
            try:
                await sandbox.exec(STOP_ALL if command == "stop-all" else command, timeout=2)
            except RuntimeError:
                pass
        print("ready", flush=True)
        await sandbox.exec("sleep 3600")

asyncio.run(run())
"""


def _name() -> str:
    return f"stopped-{uuid.uuid4().hex[:8]}"


def _running(kind: Kind, name: str, *commands: str) -> "subprocess.Popen[str]":
    """Start a process that runs commands in a container, in its own process group."""
    return subprocess.Popen(
        [sys.executable, "-c", _RUN, str(kind.folder), name, *commands],
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
        start_new_session=True,
    )


@pytest.mark.parametrize("commands", [("stop-all",), ("stop-all", "true")], ids=["its-own", "the-engine's"])
def test_a_stopped_container_ends_with_a_killed_run(docker: Kind, commands: tuple[str, ...]) -> None:
    """A killed run removes its container, even if processes in it are stopped."""
    name = _name()
    with _running(docker, name, *commands) as run:
        assert run.stdout is not None
        assert run.stdout.readline() == "ready\n"
        assert containers(name)

        os.killpg(run.pid, signal.SIGKILL)

    assert comes_true(lambda: not containers(name), 60)
    assert comes_true(lambda: not marked_processes(name), 60)


@pytest.mark.parametrize("sign", ["the client", "the container"])
def test_a_container_that_is_being_created_ends_with_a_killed_run(docker: Kind, sign: str) -> None:
    """A killed run removes a container that is being created."""
    name = _name()
    begins: dict[str, Callable[[], bool]] = {
        "the client": lambda: any("docker run" in line for line in marked_processes(f"parity-{name}")),
        "the container": lambda: bool(containers(name)),
    }
    with _running(docker, name) as run:
        assert comes_true(begins[sign], 60)

        os.killpg(run.pid, signal.SIGKILL)

    assert comes_true(lambda: not marked_processes(name), 60)
    assert not containers(name)


def test_what_would_remove_a_container_ends_with_it(docker: Kind) -> None:
    """The shells that would remove containers end with the containers."""
    name = _name()

    async def run() -> int:
        async with docker.started(name=name), docker.started(name=f"{name}-2"):
            return _watching()

    assert (asyncio.run(run()), _watching()) == (2, 0)


def _watching() -> int:
    """Return the number of this process's shells that wait to remove a container."""
    own = subprocess.run(
        ["ps", "-ww", "-o", "args", "--ppid", str(os.getpid())], capture_output=True, text=True, check=True
    )
    return own.stdout.count("docker rm")


def test_a_command_that_never_begins_ends_the_container(docker: Kind, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a command that never begins, the next command removes the container, and later ones fail at once."""
    monkeypatch.setattr(docker_container, "_BEGINNING", 5)
    name = _name()

    async def run(sandbox: Sandbox) -> list[str]:
        said = []
        with suppress(RuntimeError):  # it stops itself, too
            await sandbox.exec(STOP_ALL, timeout=3)
        for timeout in (1, None):
            with pytest.raises(RuntimeError) as caught:
                await sandbox.exec("true", timeout=timeout)
            said.append(str(caught.value))
        assert not containers(name)
        with pytest.raises(TransferError):
            await sandbox.put(docker.folder, "/tests")
        return said

    said = docker.run(run, name=name)

    assert said == [
        "Command timed out after 1 seconds",
        "the container was removed: a command has not begun within 5 seconds",
    ]


def test_a_command_that_takes_long_is_none_that_never_begins(docker: Kind) -> None:
    """A command that takes long is not mistaken for one that never begins, and continues after its timeout."""

    async def run(sandbox: Sandbox) -> str:
        for number in range(3):
            with pytest.raises(RuntimeError, match="timed out"):
                await sandbox.exec(f"sleep 2; echo {number} >> /tmp/ended", timeout=1)
        until_ended = "until [ $(wc -l < /tmp/ended) = 3 ]; do sleep 0.1; done; sort /tmp/ended"
        return (await sandbox.exec(until_ended, timeout=60)).stdout

    assert docker.run(run) == "0\n1\n2\n"


@pytest.mark.parametrize("upload", [True, False], ids=["upload", "download"])
def test_a_transfer_that_does_not_end_ends_the_container(
    docker: Kind, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, upload: bool
) -> None:
    """A transfer that does not end is killed, and its container is removed."""
    monkeypatch.setattr(docker_sandboxes, "_TRANSFER", 1)
    name = _name()
    stuck = tmp_path / "bin" / "docker"
    stuck.parent.mkdir()
    stuck.write_text(f'#!/bin/sh\n[ "$1" != cp ] || exec sleep 3600\nexec {shutil.which("docker")} "$@"\n')
    stuck.chmod(0o755)
    monkeypatch.setenv("PATH", f"{stuck.parent}:{os.environ['PATH']}")

    async def run(sandbox: Sandbox) -> None:
        transfer = sandbox.put(docker.folder, "/tests") if upload else sandbox.get("/etc", tmp_path, directory=True)
        with pytest.raises(TransferError, match=r"took longer than 1 seconds; the container was removed$"):
            await transfer
        assert not containers(name)

    docker.run(run, name=name)


def test_a_job_ends_though_its_tasks_stop_everything(docker: Kind, tmp_path: Path) -> None:
    """A job whose tasks stop all processes ends with errors, and leaves nothing."""
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
