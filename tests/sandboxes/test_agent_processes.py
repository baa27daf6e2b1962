"""Tests that the command which kills the agent's processes is not evaded."""

import pytest

from parity.driver.sandbox import Sandbox
from parity.driver.shell_commands import LIST_PROCESSES, end_others
from tests.sandboxes.kinds import Kind

_BEATS = "open('/tmp/beat', 'w').write(str(time.monotonic()))"
_LEADERLESS = f"""
import ctypes, threading, time
def work():
    while True: {_BEATS}
threading.Thread(target=work).start()
ctypes.CDLL(None).pthread_exit(None)
"""
_FORKING = f"""
import os, time
while True:
    if os.fork(): os._exit(0)
    {_BEATS}
"""


@pytest.mark.parametrize("source", [_LEADERLESS, _FORKING], ids=["first thread ends", "each process forks the next"])
def test_process_that_seems_dead_is_killed(local: Kind, source: str) -> None:
    """The command kills threads whose first thread has ended and processes that keep forking, or it fails."""

    async def run(sandbox: Sandbox) -> tuple[int, str]:
        kept = (await sandbox.exec(LIST_PROCESSES)).stdout
        begun = "until [ -s /tmp/beat ]; do sleep 0.05; done; sleep 0.2"
        await sandbox.exec(
            f"cat > /tmp/a.py <<'EOF'\n{source}\nEOF\n/usr/bin/python3 /tmp/a.py >/dev/null 2>&1 & {begun}"
        )
        ended = await sandbox.exec(end_others(kept))
        return ended.code, (await sandbox.exec("rm /tmp/beat; sleep 0.5; ls /tmp")).stdout

    code, files = local.run(run)

    assert code == 1 or files == "a.py\n"
