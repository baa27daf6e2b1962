"""What tasks, agents and tests may try inside: each attempt is contained or refused."""

import asyncio
import contextlib
import os
import signal
import socket
import subprocess
import sys
import uuid
from pathlib import Path

import pytest

from parity.driver.sandbox import TransferError
from parity.driver.sandboxes.local_limits import FILES, PROCESSES, WATCHERS
from tests.sandboxes.kinds import Kind, comes_true, containers, marker, processes

# Each attempt is bounded by itself, so that the machine survives a test that fails.


async def _attempt(kind: Kind, command: str, **options: object) -> str:
    async with kind.started() as sandbox:
        return (await sandbox.exec(command, timeout=60, **options)).stdout  # type: ignore[arg-type]


def test_a_fork_bomb_is_bounded(kind: Kind) -> None:
    """All processes of a sandbox count together, and end together."""
    mark = marker()
    bomb = f"sh -c 'i=0; while [ $i -lt 2000 ]; do sleep {mark} & i=$((i+1)); done'"

    async def run() -> int:
        async with kind.started() as sandbox:
            for _ in range(2):
                try:
                    await sandbox.exec(bomb, timeout=10)
                except RuntimeError:  # no process left even for the command
                    break
            return processes(mark)

    alive = asyncio.run(run())

    assert PROCESSES / 2 < alive <= PROCESSES
    assert processes(mark) == 0


def test_a_fork_bomb_of_several_users_is_bounded(local: Kind) -> None:
    """Users have namespaces of their own, but no limits of their own."""
    mark = marker()
    bomb = f"sh -c 'i=0; while [ $i -lt 700 ]; do sleep {mark} & i=$((i+1)); done'"

    async def run() -> int:
        async with local.started() as sandbox:
            for user in ("root", "nobody", 1234):
                try:
                    await sandbox.exec(bomb, timeout=10, user=user)
                except RuntimeError:
                    break
            return processes(mark)

    assert PROCESSES / 2 < asyncio.run(run()) <= PROCESSES


def test_one_sandbox_does_not_take_all_watchers_of_the_host_s_user(local: Kind) -> None:
    """All commands and users of a sandbox count together."""
    number = {"x86_64": 294, "aarch64": 26}[os.uname().machine]
    take = f"""
        perl -e '$| = 1; $n++ while syscall({number}, 0) >= 0; print $n+0, "\n"; sleep 60' >/tmp/$USER 2>/dev/null &
        until [ -s /tmp/$USER ]; do sleep 0.05; done; cat /tmp/$USER
    """

    async def run() -> list[int]:
        async with local.started() as sandbox:
            users = ("root", "nobody")
            return [int((await sandbox.exec(take, user=user, env={"USER": user})).stdout) for user in users]

    assert asyncio.run(run()) == [WATCHERS, 0]


def test_every_writable_place_is_bounded(local: Kind) -> None:
    """Together they take no more than the sandbox's size, and shared memory a little."""
    fill = """
        mounts=$(cut -d' ' -f2 /proc/mounts | sort -u)
        for place in $mounts /app /logs /tests /solution /tmp /var/tmp /root /run /etc; do
            mkdir -p $place 2>/dev/null
            [ -d $place ] && (head -c 200M /dev/zero > $place/fill) 2>/dev/null
        done
        find / -name fill -printf '%s\\n' 2>/dev/null
    """

    sizes = [int(size) for size in asyncio.run(_attempt(local, fill)).split()]

    assert 64 << 20 <= sum(sizes) <= 128 << 20


def test_the_number_of_files_is_bounded(local: Kind) -> None:
    """Empty ones cost memory, too."""
    assert int(asyncio.run(_attempt(local, "stat -f -c %c /"))) == FILES


def test_one_file_is_bounded(kind: Kind) -> None:
    """Also where the engine does not bound the disk."""
    written = asyncio.run(_attempt(kind, "head -c 200M /dev/zero > /tmp/fill; stat -c %s /tmp/fill"))

    assert int(written) <= 64 << 20


def test_nothing_is_written_outside(local: Kind) -> None:
    """Programs of the host, its devices, and the kernel's settings."""
    places = (
        "/usr /usr/bin /bin /lib /dev /dev/full/x /etc/ssl/certs /proc/sysrq-trigger /proc/sys/vm/overcommit_memory"
    )
    script = f"for p in {places}; do [ -d $p ] && touch $p/canary && echo $p; [ -f $p -a -w $p ] && echo $p; done; true"

    assert asyncio.run(_attempt(local, script)) == ""


def test_programs_cannot_be_replaced(local: Kind) -> None:
    """Neither the folders that hold them, nor the links or mounts that lead there."""
    script = """
        for name in bin sbin lib lib64 usr; do
            [ -e /$name ] || continue
            rm -rf /$name; mv /$name /tmp/$name; ln -sfn /tmp /$name; touch /$name/evil
            [ -e /$name/evil ] && echo $name
        done 2>/dev/null
        echo whole
    """

    assert asyncio.run(_attempt(local, script)) == "whole\n"


def test_the_first_process_is_bounded_too(local: Kind) -> None:
    """Whoever took it over would have no more than anybody inside."""
    limits = "grep -E 'processes|file size|core|open files|data' /proc/%s/limits"

    async def run() -> tuple[str, str]:
        async with local.started(memory_mb=100) as sandbox:
            return (await sandbox.exec(limits % 1)).stdout, (await sandbox.exec(limits % "self")).stdout

    first, own = asyncio.run(run())

    assert own.count("\n") == 5
    assert first == own


def test_there_is_no_way_to_more_rights(local: Kind) -> None:
    """No mounts, no namespaces, no capabilities, for root neither."""
    script = """
        mount -t tmpfs none /mnt && echo mounted; mount -o remount,size=9G / && echo remounted
        umount /usr && echo unmounted; unshare --user true && echo user
        unshare --user --map-root-user --mount true && echo map
        nsenter --target 1 --user true && echo entered; mknod /tmp/device c 1 3 && echo device
        cat /proc/1/environ && echo read; su nobody -c true && echo su
        grep Cap /proc/self/status | grep -v 0000000000000000; grep NoNewPrivs /proc/self/status
    """

    assert asyncio.run(_attempt(local, script)).split() == ["NoNewPrivs:", "1"]


def test_the_home_and_temporary_files_of_the_host_are_not_seen(
    kind: Kind, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither by their path nor by a search."""
    home = tmp_path / "home"
    home.mkdir()
    name = f"canary-{uuid.uuid4().hex}"
    (home / name).write_text("secret of the home")
    (tmp_path / name).write_text("secret of the temporary folder")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("DOCKER_CONFIG", str(home))
    script = f"cat {home}/{name} {tmp_path}/{name} ~/{name}; find / /proc/1/root/ -xdev -name {name}"

    assert asyncio.run(_attempt(kind, script)) == ""


def test_no_passwords_or_keys_are_seen(local: Kind) -> None:
    """Of /etc there is only what programs need, and nothing of /home, /run and /var."""
    script = "ls -d /etc/shadow /etc/ssh /etc/ssl/private; ls -A /home /root /var/* /run | grep -v :; true"

    assert asyncio.run(_attempt(local, script)).split() == []


def test_the_network_is_not_reached(kind: Kind) -> None:
    """Neither a socket of the host's loopback nor an abstract one."""
    name = f"canary-{uuid.uuid4().hex}"
    with socket.create_server(("127.0.0.1", 0)) as tcp, socket.socket(socket.AF_UNIX) as unix:
        unix.bind(f"\0{name}")
        unix.listen()
        port = tcp.getsockname()[1]
        script = f"""
            (exec 3<>/dev/tcp/127.0.0.1/{port}) 2>/dev/null && echo reached
            grep {name} /proc/net/unix
            tail -n +3 /proc/net/dev | cut -d: -f1
        """

        assert asyncio.run(_attempt(kind, script)).split() == ["lo"]


def test_links_do_not_lead_out_of_the_logs(kind: Kind, tmp_path: Path) -> None:
    """Those that would are left out; hard links become files."""
    script = """
        mkdir -p /logs/a /outside && echo 1 > /outside/file && cd /logs && ln /outside/file hard && echo 2 > a/b
        ln -s /etc/passwd absolute; ln -s ../../../../../../etc/passwd climbing; ln -s a/../../x hidden
        ln -s a/b inside; ln -s . loop; ln -s .. up; mkfifo pipe
    """

    async def run() -> None:
        async with kind.started() as sandbox:
            await sandbox.exec(script)
            await sandbox.download("/logs", tmp_path / "logs", directory=True)

    (tmp_path / "logs").mkdir()
    asyncio.run(run())

    assert sorted(path.name for path in (tmp_path / "logs").iterdir()) == ["a", "hard", "inside", "loop"]
    assert (tmp_path / "logs" / "hard").read_text() == "1\n"
    assert (tmp_path / "logs" / "hard").stat().st_nlink == 1


@pytest.mark.parametrize(
    "make",
    [
        "truncate -s 5G reward.txt || truncate -s 300M reward.txt",
        "fallocate -l 5G reward.txt || fallocate -l 300M reward.txt",
        "dd if=/dev/zero of=reward.txt bs=1M count=5000",
    ],
    ids=lambda make: str(make).partition(" ")[0],
)
def test_a_huge_reward_is_not_carried(kind: Kind, tmp_path: Path, make: str) -> None:
    """Five gigabytes are refused inside, and what is left on its way; holes count as what they seem."""

    async def run() -> None:
        async with kind.started(storage_mb=320) as sandbox:
            await sandbox.exec(f"mkdir -p /logs && cd /logs && {{ {make}; }}", timeout=60)
            with pytest.raises(TransferError, match=r"^/logs: more than 268,435,456 bytes"):
                await sandbox.download("/logs", tmp_path / "logs", directory=True)
            with pytest.raises(TransferError, match=r"^/logs/reward.txt: more than 268,435,456 bytes"):
                await sandbox.download("/logs/reward.txt", tmp_path / "reward.txt", directory=False)

    (tmp_path / "logs").mkdir()

    asyncio.run(run())

    assert not list(tmp_path.rglob("reward.txt"))


@pytest.mark.parametrize("directory", [True, False])
def test_a_hollow_reward_is_not_carried(docker: Kind, tmp_path: Path, directory: bool) -> None:
    """Five gigabytes of nothing, which the engine's disk takes."""

    async def run() -> None:
        async with docker.started(storage_mb=6000) as sandbox:
            await sandbox.exec("mkdir -p /logs && truncate -s 5G /logs/reward.txt")
            source = "/logs" if directory else "/logs/reward.txt"
            await sandbox.download(source, tmp_path / ("" if directory else "reward.txt"), directory=directory)

    with pytest.raises(TransferError, match="more than 268,435,456 bytes"):
        asyncio.run(run())
    assert not (tmp_path / "reward.txt").exists()


def test_files_without_number_are_not_carried(local: Kind, tmp_path: Path) -> None:
    """The host takes ten thousand."""

    async def run() -> None:
        async with local.started() as sandbox:
            await sandbox.exec("mkdir /logs && cd /logs && seq 10001 | xargs touch")
            await sandbox.download("/logs", tmp_path, directory=True)

    with pytest.raises(TransferError, match=r"^/logs: more than 10,000 files$"):
        asyncio.run(run())


def test_no_process_outlives_its_trial(kind: Kind) -> None:
    """Not by another session, not without parents, not deaf to signals."""
    mark = marker()
    script = f"(setsid nohup bash -c 'trap \"\" TERM INT HUP; (sleep {mark} &)' >/dev/null 2>&1 &)"

    async def run() -> int:
        async with kind.started() as sandbox:
            await sandbox.exec(script)
            for _ in range(50):
                if processes(mark):
                    break
                await asyncio.sleep(0.1)
            return processes(mark)

    assert asyncio.run(run()) == 1
    assert processes(mark) == 0


_KILLED = """
import asyncio, sys
from tests.sandboxes.kinds import KINDS, Kind
from pathlib import Path

async def run():
    kind = Kind(KINDS[sys.argv[1]](), Path(sys.argv[2]))
    async with kind.started(name=sys.argv[3]) as sandbox:
        await sandbox.exec(f"(setsid sleep {sys.argv[4]} >/dev/null 2>&1 &)")
        print("ready", flush=True)
        await sandbox.exec(f"sleep {sys.argv[4]}")

asyncio.run(run())
"""


def test_nothing_outlives_a_killed_run(kind: Kind, environment: Path) -> None:
    """Though SIGKILL leaves no time to stop anything."""
    mark, name = marker(), f"killed-{uuid.uuid4().hex[:8]}"
    command = [sys.executable, "-c", _KILLED, kind.name, str(environment), name, mark]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[2]) as run:
        assert run.stdout is not None
        assert run.stdout.readline() == "ready\n"
        assert comes_true(lambda: processes(mark) == 3)  # the run itself has the marker, too

        run.send_signal(signal.SIGKILL)

    assert comes_true(lambda: processes(mark) == 0)
    assert kind.name != "docker" or comes_true(lambda: not containers(name))


def test_endless_output_is_bounded(kind: Kind) -> None:
    """Its beginning and its end are kept."""
    output = asyncio.run(_attempt(kind, "echo first; head -c 30M /dev/zero | tr '\\0' x; echo; echo last"))

    assert output.startswith("first\n")
    assert output.endswith("last\n")
    assert len(output) < 3 << 20


def test_output_without_end_meets_the_timeout(kind: Kind) -> None:
    """And fills no memory until then."""

    async def run() -> None:
        async with kind.started() as sandbox:
            await sandbox.exec("yes", timeout=1)

    with pytest.raises(RuntimeError, match=r"^Command timed out after 1 seconds$"):
        asyncio.run(run())


_REPLACES_THE_CARRIER = """
    printf '#!/bin/sh\\ngrep CapEff /proc/self/status > /logs/rights\\n' > /tmp/evil && chmod +x /tmp/evil
    for name in bin usr lib; do rm -rf /$name; mkdir -p /$name; cp /tmp/evil /$name/bash; cp /tmp/evil /$name/tar; done
    echo /tmp/evil.so > /etc/ld.so.preload; cp /tmp/evil /tmp/evil.so; cp /tmp/evil /etc/nsswitch.conf
    mkdir -p /root/.pyenv /logs; cp /tmp/evil /tarfile.py; echo 1 > /logs/reward.txt
"""


def test_nothing_inside_runs_when_files_are_carried(local: Kind, tmp_path: Path) -> None:
    """What lies in the place of the carrier's programs, libraries and settings."""

    async def run() -> None:
        async with local.started() as sandbox:
            await sandbox.exec(f"{{ {_REPLACES_THE_CARRIER}}} 2>/dev/null")
            await sandbox.upload(environment_file, "/tests/file")
            await sandbox.download("/tests", tmp_path / "tests", directory=True)
            await sandbox.download("/logs", tmp_path / "logs", directory=True)

    environment_file = tmp_path / "file"
    environment_file.write_text("1")
    (tmp_path / "logs").mkdir()
    (tmp_path / "tests").mkdir()

    asyncio.run(run())

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
def test_what_is_no_file_is_not_waited_for(local: Kind, tmp_path: Path, make: str) -> None:
    """It is refused as a file, and left out of a folder."""

    async def run() -> None:
        async with local.started() as sandbox:
            await sandbox.exec(f"mkdir -p /logs && cd /logs && {make}")
            with pytest.raises(TransferError, match=r"^/logs/reward.txt: "):
                await sandbox.download("/logs/reward.txt", tmp_path / "reward.txt", directory=False)
            await sandbox.download("/logs", tmp_path / "logs", directory=True)

    (tmp_path / "logs").mkdir()

    asyncio.run(run())

    assert not (tmp_path / "reward.txt").exists()
    assert not (tmp_path / "logs" / "reward.txt").is_file()


def test_files_that_change_while_they_are_carried(local: Kind, tmp_path: Path) -> None:
    """One grows without end, one shrinks, and folders become links to /proc and back."""
    script = """
        mkdir -p /logs/real && cd /logs && echo 1 > real/file && ln -s /proc/1/root other
        (while :; do echo more >> grows; done >/dev/null 2>&1 &)
        (while :; do head -c 1M /dev/zero > shrinks; : > shrinks; done >/dev/null 2>&1 &)
        (while :; do mv -T real x; mv -T other real; mv -T x other; done >/dev/null 2>&1 &)
    """

    async def run() -> None:
        async with local.started() as sandbox:
            await sandbox.exec(script)
            for number in range(5):
                (tmp_path / str(number)).mkdir()
                await sandbox.download("/logs", tmp_path / str(number), directory=True)

    asyncio.run(run())

    found = {path.name for path in tmp_path.rglob("*") if path.is_file()}
    assert found <= {"grows", "shrinks", "file"}


def test_files_are_carried_though_every_process_is_stopped(local: Kind, tmp_path: Path) -> None:
    """Nothing that carries them can be seen from inside, or keeps the sandbox from its end."""
    mark = marker()
    script = f"(setsid bash -c 'while :; do kill -STOP -1; done' >/dev/null 2>&1 &); sleep {mark} & echo 1 > /tmp/file"

    async def run() -> None:
        async with local.started() as sandbox:
            with contextlib.suppress(RuntimeError):  # it may be stopped itself
                await sandbox.exec(script, timeout=10)
            for number in range(10):
                await sandbox.upload(tmp_path / "source", "/tmp/source")
                await sandbox.download("/tmp/source", tmp_path / str(number), directory=False)

    (tmp_path / "source").write_text("1")

    asyncio.run(run())

    assert [(tmp_path / str(number)).read_text() for number in range(10)] == ["1"] * 10
    assert processes(mark) == 0


def test_files_are_carried_though_no_process_is_left(local: Kind, tmp_path: Path) -> None:
    """The carrier is none of the sandbox's."""
    bomb = "echo 1 > /tmp/file; i=0; while [ $i -lt 2000 ]; do sleep 60 & i=$((i+1)); done"

    async def run() -> None:
        async with local.started() as sandbox:
            await sandbox.exec(bomb, timeout=60)
            await sandbox.download("/tmp/file", tmp_path / "file", directory=False)

    asyncio.run(run())

    assert (tmp_path / "file").read_text() == "1\n"


def test_the_first_process_cannot_be_killed(local: Kind) -> None:
    """The sandbox goes on."""

    async def run() -> str:
        async with local.started() as sandbox:
            await sandbox.exec("kill -9 1; kill -TERM 1; kill -STOP 1; kill -9 -1")
            return (await sandbox.exec("echo on")).stdout

    assert asyncio.run(run()) == "on\n"


def test_a_container_that_ends_itself_is_stopped(docker: Kind) -> None:
    """The first process passes signals on; what comes after fails, and nothing is left."""
    spec = docker.spec

    async def run() -> int:
        sandbox = docker.sandboxes.make(spec)
        await sandbox.start()
        await sandbox.exec("kill -TERM 1; kill -9 -1")
        await asyncio.sleep(1)
        code = (await sandbox.exec("true")).code
        await sandbox.stop()
        return code

    assert asyncio.run(run()) != 0
    assert not containers(spec.name)


def test_nothing_can_be_read_from_the_input(kind: Kind) -> None:
    """It ends at once, whatever this process could read."""
    assert asyncio.run(_attempt(kind, "read -r line; echo $?")) == "1\n"


def test_the_environment_of_the_host_is_not_seen(kind: Kind, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not in the command's variables, not in those of other processes."""
    monkeypatch.setenv("PARITY_CANARY", "secret of the environment")
    script = "env; cat /proc/[0-9]*/environ /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' '\\n' | grep -v grep"

    seen = asyncio.run(_attempt(kind, script, env={"GIVEN": "variable"}))

    assert "GIVEN=variable" in seen
    assert "PARITY_CANARY" not in seen


def test_a_variable_cannot_bring_a_library_into_the_way_in(local: Kind) -> None:
    """Variables apply to the command alone, which has no capabilities any more."""
    script = "grep CapEff /proc/self/status"

    seen = asyncio.run(_attempt(local, script, env={"LD_PRELOAD": "/tmp/evil.so", "BASH_ENV": "/tmp/evil"}))

    assert seen.split()[-1] == "0" * 16


def test_descriptors_of_the_host_are_not_inherited(kind: Kind) -> None:
    """A command has its three alone."""
    reader, writer = os.pipe()
    os.set_inheritable(writer, True)
    try:
        seen = asyncio.run(_attempt(kind, "for fd in {3..250}; do [ ! -e /proc/$$/fd/$fd ] || echo $fd; done"))
    finally:
        os.close(reader)
        os.close(writer)

    assert seen == ""
