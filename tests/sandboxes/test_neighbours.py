"""What a sandbox takes of the things that the kernel counts for the host's user leaves enough for other sandboxes."""

import resource

import pytest

from parity.driver.sandbox import Sandbox
from parity.driver.sandboxes import forking
from tests.sandboxes.kinds import Kind

_DESCRIPTORS = """
import socket
pairs = [socket.socketpair() for _ in range(17)]
for sender, _ in pairs:
    socket.send_fds(sender, [b"x"], [0] * 250)
"""


async def _take(sandbox: Sandbox, source: str) -> None:
    """Run Python source in a sandbox, and keep its process."""
    waits = f"cat > /tmp/take.py <<'EOF'\n{source}\nprint('taken', flush=True)\nimport time; time.sleep(3600)\nEOF\n"
    await sandbox.exec(f"{waits}/usr/bin/python3 /tmp/take.py >/tmp/said & until [ -s /tmp/said ]; do sleep 0.05; done")


def test_descriptors_in_flight_stop_no_sandbox(local: Kind, monkeypatch: pytest.MonkeyPatch) -> None:
    """Many descriptors in a sandbox's sockets stop no sandbox, even if this process begins with a low soft limit."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (1024, hard))
    monkeypatch.setattr(forking, "_HELPERS", {})

    async def run(sandbox: Sandbox) -> list[str]:
        await _take(sandbox, _DESCRIPTORS)
        async with local.started() as other:
            return [(await each.exec("cat /tmp/said; echo runs")).stdout for each in (sandbox, other)]

    assert local.run(run) == ["taken\nruns\n", "runs\n"]
