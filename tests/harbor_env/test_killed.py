"""A process that is killed at any time during rollouts leaves neither files nor processes."""

import os
import signal
import subprocess
import sys
import time
import uuid
from pathlib import Path
from random import Random

import pytest

from tests.run.kills import Killing, empty_groups, left_over
from tests.run.tasks import reward, write_task

pytestmark = pytest.mark.usefixtures("local")

_ROLL_OUT = """
import asyncio, sys
from tests.harbor_env.rollouts import environment
env = environment(sys.argv[1], "setsid sleep 3600 & echo 1 > /app/made", timeout_seconds=60)
results = asyncio.run(env.evaluate(rollouts_per_example=4, max_concurrent=3))
print(results["reward"])
"""
_MEGABYTES = 8
_TIMEOUT = 120
_TIMES = 3


def _start(killing: Killing) -> "subprocess.Popen[bytes]":
    scratch = killing.folder / "tmp"
    scratch.mkdir(exist_ok=True)
    return subprocess.Popen(
        [sys.executable, "-c", _ROLL_OUT, killing.folder / "data"],
        stdout=subprocess.PIPE,
        env={**os.environ, "MARK": killing.mark, "TMPDIR": str(scratch)},
        cwd=Path(__file__).parents[2],
        start_new_session=True,
    )


def _left(killing: Killing, groups: frozenset[str]) -> list[str]:
    """Return everything that is left after a while, because cleaning up begins only after all processes have ended."""
    end = time.monotonic() + _TIMEOUT
    while (left := left_over(killing, groups)) and time.monotonic() < end:
        time.sleep(0.1)
    return left


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_nothing_is_left(tmp_path: Path, number: signal.Signals) -> None:
    """No folder, mount, control group or process is left, and the next process works."""
    groups = empty_groups()
    killing = Killing("local", tmp_path, f"k{uuid.uuid4().hex[:10]}")
    task = write_task(tmp_path / "data" / "task", tests=f"cp /tests/large /logs/verifier; {reward('$(cat /app/made)')}")
    (task / "tests" / "large").write_bytes(os.urandom(_MEGABYTES << 20))
    began = time.monotonic()
    whole = [_start(killing).communicate()[0]]
    takes, random = time.monotonic() - began, Random(number)

    left = []
    for _ in range(_TIMES):
        process = _start(killing)
        time.sleep(random.uniform(0, takes))
        process.send_signal(number)
        process.communicate()
        left.append(_left(killing, groups))
    whole.append(_start(killing).communicate()[0])

    assert left == [[]] * _TIMES
    assert whole == [b"[1.0, 1.0, 1.0, 1.0]\n"] * 2
    assert _left(killing, groups) == []
