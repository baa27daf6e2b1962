"""The network of a local sandbox: connections to the outside work, and the host's own namespace is out of reach."""

import shutil
import socket
import subprocess
import sys
import threading
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from parity.driver.sandbox import SandboxSpec
from parity.driver.sandboxes import local_network
from parity.driver.sandboxes.local import LocalSandboxes
from parity.driver.sandboxes.local_network import NAME_SERVER, PROGRAMS
from tests.sandboxes.kinds import Kind, comes_true

_CANARY = f"canary-{uuid.uuid4().hex}"


@pytest.fixture(params=list(PROGRAMS))
def program(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return each forwarding program in turn, as if only this one were installed."""
    if shutil.which(request.param) is None:
        pytest.skip(f"of networks by {request.param}; apt install passt slirp4netns")
    monkeypatch.setattr(local_network, "PROGRAMS", {request.param: PROGRAMS[request.param]})
    return str(request.param)


def _own_address() -> str:
    """Return an address of this machine that is not its loopback."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as unsent:
        try:
            unsent.connect(("192.0.2.77", 9))
        except OSError:
            pytest.skip("of networks; this machine has only its loopback address")
        return str(unsent.getsockname()[0])


@contextmanager
def _serving(address: str) -> Iterator[int]:
    """Serve the canary at an address, and yield the port."""
    with socket.create_server((address, 0)) as server:

        def greet() -> None:
            while True:
                try:
                    connection, _ = server.accept()
                except OSError:
                    return
                with connection:
                    connection.sendall(_CANARY.encode())

        threading.Thread(target=greet, daemon=True).start()
        yield server.getsockname()[1]
        server.shutdown(socket.SHUT_RDWR)


def _run(local: Kind, command: str) -> str:
    return local.run(lambda sandbox: sandbox.exec(command, timeout=60), network=True).stdout


def test_there_is_a_way_out(local: Kind, program: str) -> None:
    """A sandbox with a network can connect to the outside."""
    address = _own_address()
    with _serving(address) as port:
        script = f"exec 3<>/dev/tcp/{address}/{port} && cat <&3"

        assert _run(local, script) == _CANARY


def test_the_host_s_loopback_is_out_of_reach(local: Kind, program: str) -> None:
    """The host's loopback is out of reach by any address."""
    addresses = [
        "127.0.0.1",
        "localhost",
        "0.0.0.0",
        "10.0.2.2",
        NAME_SERVER,
        "10.0.2.100",
        _own_address(),
        "127.1.2.3",
    ]
    with _serving("127.0.0.1") as port:
        tries = (f"timeout 5 bash -c 'exec 3<>/dev/tcp/{address}/{port}; cat <&3' &" for address in addresses)

        assert _CANARY not in _run(local, f"{' '.join(tries)} wait")


def test_abstract_sockets_of_the_host_are_out_of_reach(local: Kind, program: str) -> None:
    """Abstract sockets of the host are out of reach."""
    with socket.socket(socket.AF_UNIX) as unix:
        unix.bind(f"\0{_CANARY}")
        unix.listen()
        seen = _run(local, "cat /proc/net/unix; tail -n +3 /proc/net/dev | cut -d: -f1 | tr -d ' '")

    assert _CANARY not in seen
    assert set(seen.split()[-2:]) == {"lo", "tap0"}


def test_names_are_asked_for_where_the_program_answers(local: Kind, program: str) -> None:
    """Names are resolved by the forwarding program, and the host's own settings are not visible."""
    seen = _run(local, "cat /etc/resolv.conf /etc/hosts")

    assert seen == f"nameserver {NAME_SERVER}\n127.0.0.1 localhost\n"


def test_the_program_s_interface_cannot_be_changed(local: Kind, program: str) -> None:
    """A task can change neither routes nor interfaces, and send no raw packets."""
    script = """
        ip link set tap0 down && echo down; ip route add 10.9.0.0/16 dev tap0 && echo route
        ip addr add 127.0.0.2/8 dev tap0 && echo address; ip netns add more && echo namespace
        perl -e 'use Socket; print "raw\n" if socket(S, 2, 3, 1); print "packet\n" if socket(S, 17, 3, 0)'
    """

    assert _run(local, script) == ""


def _carrying(parent: int) -> list[int]:
    """Return the numbers of a process's descendants."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
            if int(fields[1]) == parent:
                found += [int(folder.name), *_carrying(int(folder.name))]
        except OSError:
            continue
    return found


def _named(numbers: list[int], name: str) -> list[int]:
    named = []
    for number in numbers:
        try:
            if name.encode() in Path(f"/proc/{number}/cmdline").read_bytes().split(b"\0"):
                named.append(number)
        except OSError:
            continue
    return named


_KILLED = """
import asyncio, sys
from pathlib import Path
from parity.driver.sandboxes import local_network
from tests.sandboxes.kinds import KINDS, Kind

async def run():
    async with Kind(KINDS["local"](), Path(sys.argv[1])).started(network=True) as sandbox:
        print("ready", flush=True)
        sys.stdin.read()
    print("stopped", flush=True)
    sys.stdin.read()

local_network.PROGRAMS = {sys.argv[2]: local_network.PROGRAMS[sys.argv[2]]}
asyncio.run(run())
"""


@pytest.mark.parametrize("killed", [False, True])
def test_the_program_ends_with_its_sandbox(local: Kind, environment: Path, program: str, killed: bool) -> None:
    """The forwarding program ends with its sandbox, and with a killed run."""
    command = [sys.executable, "-c", _KILLED, str(environment), program]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[2]
    ) as run:
        assert run.stdin is not None
        assert run.stdout is not None
        assert run.stdout.readline() == "ready\n"
        during = _named(_carrying(run.pid), program)
        if killed:
            run.kill()
        else:
            run.stdin.close()
            assert run.stdout.readline() == "stopped\n"

    assert during
    assert comes_true(lambda: not _named(during, program), seconds=60)


def test_without_a_program_the_network_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, environment: Path
) -> None:
    """Without a forwarding program, a task with a network is refused, with the command that installs one."""
    monkeypatch.setenv("PATH", str(tmp_path))

    refusal = LocalSandboxes().refusal(SandboxSpec("a", "a", environment, network=True))

    assert refusal == (
        "asks for the network, for which the local sandbox needs pasta or slirp4netns; "
        "install it with apt-get install passt (or slirp4netns), or use --sandbox docker"
    )
    assert LocalSandboxes().refusal(SandboxSpec("a", "a", environment)) is None


def test_without_tunnels_the_network_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, environment: Path, program: str
) -> None:
    """Without a tunnel device, a task with a network is refused, as in a container."""
    monkeypatch.setattr(local_network, "_TUNNELS", tmp_path / "tun")

    refusal = LocalSandboxes().refusal(SandboxSpec("a", "a", environment, network=True))

    assert refusal is not None
    assert refusal.startswith(
        f"asks for the network, for which the local sandbox needs {tmp_path}/tun; load the module"
    )


def test_a_program_that_fails_ends_the_start(local: Kind, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the forwarding program fails, the start raises an error with its last line."""
    script = "echo first >&2; echo no such thing >&2; exit 3"
    monkeypatch.setattr(local_network, "_installed", lambda: "pasta")
    monkeypatch.setitem(local_network.PROGRAMS, "pasta", ("bash", "-c", script))

    with pytest.raises(RuntimeError, match=r"^the sandbox's network does not start: no such thing$"):
        _run(local, "true")
