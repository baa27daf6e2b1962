"""Tests that one sandbox cannot use up the resources that the kernel counts for the host's user."""

import asyncio
import resource

import pytest

from parity.driver.sandbox import Sandbox
from parity.driver.sandboxes.bubblewrap import new_user
from tests.sandboxes.kinds import Kind

_DESCRIPTORS = """
import socket
pairs = [socket.socketpair() for _ in range(17)]
for sender, _ in pairs:
    socket.send_fds(sender, [b"x"], [0] * 250)
"""


async def _take(sandbox: Sandbox, source: str) -> None:
    """Run Python source in the sandbox until it has taken a resource, and leave its process running."""
    waits = f"cat > /tmp/take.py <<'EOF'\n{source}\nprint('taken', flush=True)\nimport time; time.sleep(3600)\nEOF\n"
    await sandbox.exec(f"{waits}/usr/bin/python3 /tmp/take.py >/tmp/said & until [ -s /tmp/said ]; do sleep 0.05; done")


def test_descriptors_in_flight_do_not_stop_other_sandboxes(local: Kind) -> None:
    """Many descriptors in one sandbox's sockets stop no other sandbox, even if the driver has a low soft limit."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (1024, hard))

    async def run(sandbox: Sandbox) -> list[str]:
        await _take(sandbox, _DESCRIPTORS)
        async with local.started() as other:
            return [(await each.exec("cat /tmp/said; echo runs")).stdout for each in (sandbox, other)]

    assert local.run(run) == ["taken\nruns\n", "runs\n"]


_BLOCK = "import ctypes, os, signal; signal.pthread_sigmask(signal.SIG_BLOCK, [40])"
_PENDING = f"""{_BLOCK}
while ctypes.CDLL(None).sigqueue(os.getpid(), 40, 0) == 0: pass
"""
_QUEUES = """
import ctypes
n = 0
while ctypes.CDLL(None).mq_open(b"/queue%d" % n, 0o102, 0o600, None) >= 0: n += 1
"""
_TERMINALS = """
import os
opened = []
try:
    while True: opened.append(os.open("/dev/ptmx", os.O_RDWR))
except OSError:
    pass
"""
_PIPES = """
import fcntl, os
opened = []
try:
    while True:
        opened.append(os.pipe())
        fcntl.fcntl(opened[-1][1], fcntl.F_SETPIPE_SZ, 1 << 20)
except OSError:
    pass
"""


async def _needed(kind: Kind, take: str, need: str) -> str:
    """Return what Python source prints in one sandbox while another sandbox holds all that it could take."""
    async with kind.started() as first:
        await _take(first, take)
        async with kind.started() as second:
            return (await second.exec(f'/usr/bin/python3 -c "{need}"')).stdout


@pytest.mark.parametrize(
    ("take", "need"),
    [
        (_PENDING, f"{_BLOCK}; print(ctypes.CDLL(None).sigqueue(os.getpid(), 40, 0))"),
        (_QUEUES, "import ctypes; print(min(0, ctypes.CDLL(None).mq_open(b'/queue', 0o102, 0o600, None)))"),
        (_TERMINALS, "import os; os.openpty(); print(0)"),
    ],
    ids=["signals", "queues", "terminals"],
)
def test_signals_queues_and_terminals_are_limited(local: Kind, take: str, need: str) -> None:
    """A sandbox's limits for pending signals, message queues and terminals are below those of the host's user."""
    assert asyncio.run(_needed(local, take, need)) == "0\n"


@pytest.fixture
def apart(local: Kind) -> Kind:
    """Return the kind `local` if each sandbox runs as its own user, or skip the test."""
    if not new_user():
        pytest.skip("with one user for each sandbox; run them as root")
    return local


@pytest.mark.parametrize(
    ("take", "need"),
    [
        (_DESCRIPTORS, "import socket; ends = socket.socketpair(); print(socket.send_fds(ends[0], [b'x'], [0]))"),
        (_PIPES, "import fcntl, os; print(fcntl.fcntl(os.pipe()[1], fcntl.F_SETPIPE_SZ, 1 << 18) >> 18)"),
    ],
    ids=["descriptors", "pipes"],
)
def test_each_sandbox_runs_as_its_own_user(apart: Kind, take: str, need: str) -> None:
    """Resources that the kernel counts for each user, such as pipe pages, are counted separately for each sandbox."""
    assert asyncio.run(_needed(apart, take, need)) == "1\n"


def test_users_of_sandboxes_are_unused_on_the_host(apart: Kind) -> None:
    """Each new user is different, and no user has one of the low numbers, which have accounts on the host."""
    users = {int(new_user()[2]) for _ in range(100)}

    assert len(users) == 100
    assert min(users) > 1000
