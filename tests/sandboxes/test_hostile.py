"""Tests that tasks, agents and tests can neither exhaust the host's resources nor leave processes running."""

import os
import signal
import subprocess
import uuid

import pytest

from parity.driver.sandbox import Sandbox
from parity.driver.sandboxes.limits import FILES, PROCESSES, WATCHERS
from tests.sandboxes.kinds import Kind, comes_true, containers, marker, processes, running

# Each attempt is limited by itself, so that the machine survives a failing test.


def test_fork_bomb_is_limited(kind: Kind) -> None:
    """A fork bomb by several users is limited to the sandbox's number of processes, and ends with the sandbox."""
    mark = marker()
    bomb = f"sh -c 'i=0; while [ $i -lt 700 ]; do sleep {mark} & i=$((i+1)); done'"

    async def run(sandbox: Sandbox) -> int:
        for user in ("root", "nobody", 1234):
            try:
                await sandbox.exec(bomb, timeout=600, user=user)
            except RuntimeError:  # the sandbox cannot start another process
                break
        return processes(mark)

    alive = kind.run(run)

    assert PROCESSES / 2 < alive <= PROCESSES
    assert processes(mark) == 0


def test_inotify_instances_are_limited(local: Kind) -> None:
    """All users of a sandbox together can create only a few inotify instances."""
    number = {"x86_64": 294, "aarch64": 26}[os.uname().machine]
    take = f"""
        perl -e '$| = 1; $n++ while syscall({number}, 0) >= 0; print $n+0, "\n"; sleep 60' >/tmp/$USER 2>/dev/null &
        until [ -s /tmp/$USER ]; do sleep 0.05; done; cat /tmp/$USER
    """

    async def run(sandbox: Sandbox) -> list[int]:
        users = ("root", "nobody")
        return [int((await sandbox.exec(take, user=user, env={"USER": user})).stdout) for user in users]

    assert local.run(run) == [WATCHERS, 0]


def test_all_writable_places_are_limited_together(local: Kind) -> None:
    """All writable places together are limited to the size of the sandbox's disk."""
    fill = """
        mounts=$(cut -d' ' -f2 /proc/mounts | sort -u)
        for place in $mounts /app /logs /tests /solution /tmp /var/tmp /root /run /etc; do
            mkdir -p $place 2>/dev/null
            [ -d $place ] && (head -c 200M /dev/zero > $place/fill) 2>/dev/null
        done
        find / -name fill -printf '%s\\n' 2>/dev/null
    """

    sizes = [int(size) for size in local.executed(fill).stdout.split()]

    assert 64 << 20 <= sum(sizes) <= 128 << 20


@pytest.mark.parametrize("place", ["/", "/dev/shm"])
def test_number_of_files_is_limited(local: Kind, place: str) -> None:
    """The number of files is limited, because even empty files use memory."""
    assert int(local.executed(f"stat -f -c %c {place}").stdout) == FILES


def test_size_of_one_file_is_limited(kind: Kind) -> None:
    """The size of one file is limited, even if the engine does not limit the disk."""
    written = kind.executed("head -c 200M /dev/zero > /tmp/fill; stat -c %s /tmp/fill").stdout

    assert int(written) <= 64 << 20


def test_first_process_has_the_limits_of_commands(local: Kind) -> None:
    """The sandbox's first process has the same limits as commands."""
    limits = "grep -E 'processes|Max file size|open files|data' /proc/%s/limits"

    async def run(sandbox: Sandbox) -> tuple[str, str]:
        return (await sandbox.exec(limits % 1)).stdout, (await sandbox.exec(limits % "self")).stdout

    first, own = local.run(run, memory_mb=100)

    assert own.count("\n") == 4
    assert first == own


def test_crash_does_not_start_the_core_handler_of_the_host(kind: Kind) -> None:
    """A crash does not start the host's core handler, because with a core size limit of 1 the kernel starts none."""
    limits = kind.executed("grep core /proc/self/limits").stdout

    assert limits.split()[-3:] == ["1", "1", "bytes"]


def test_killed_run_leaves_no_process(kind: Kind) -> None:
    """A killed run leaves no process and no container."""
    mark, name = marker(), f"killed-{uuid.uuid4().hex[:8]}"
    with running(kind, name, f"(setsid sleep {mark} >/dev/null 2>&1 &)", f"sleep {mark}") as run:
        assert run.stdout is not None
        assert run.stdout.readline() == "ready\n"
        before = processes(mark)

        run.send_signal(signal.SIGKILL)

    assert before >= 2
    assert comes_true(lambda: processes(mark) == 0)
    assert kind.name != "docker" or comes_true(lambda: not containers(name))


def test_endless_output_is_cut(kind: Kind) -> None:
    """Endless output is cut, but its beginning and end are kept."""
    output = kind.executed("echo first; head -c 30M /dev/zero | tr '\\0' x; echo; echo last").stdout

    assert output.startswith("first\n")
    assert output.endswith("last\n")
    assert len(output) < 3 << 20


def test_first_process_cannot_be_killed(kind: Kind) -> None:
    """A command cannot kill or stop the sandbox's first process."""

    async def run(sandbox: Sandbox) -> str:
        await sandbox.exec("kill -9 1; kill -TERM 1; kill -STOP 1; kill -9 -1")
        return (await sandbox.exec("echo on")).stdout

    assert kind.run(run) == "on\n"


def test_container_that_has_ended_can_be_stopped(docker: Kind) -> None:
    """Stopping a container that has already ended raises nothing, and its later commands fail."""
    name = f"ended-{uuid.uuid4().hex[:8]}"

    async def run(sandbox: Sandbox) -> int:
        subprocess.run(["docker", "rm", "--force", *containers(name)], check=True, capture_output=True)
        return (await sandbox.exec("true")).code

    assert docker.run(run, name=name) != 0
