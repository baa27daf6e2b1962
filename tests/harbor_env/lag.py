"""Measures how long rollouts block the event loop: `python -m tests.harbor_env.lag [ROLLOUTS [LOOP]]`.

Runs so many rollouts (200) of a small task at once, and a few of a task with 150 MB of tests, on local sandboxes, each
in a fresh process, under asyncio's own event loop and under uvloop. Another task sleeps 5 ms again and again; its
greatest delay is what other work in the loop would suffer. Agents wait a while, as for a model.

It prints the greatest delay, the delay that one in a hundred exceeds, the seconds, and the rollouts without a reward by
kind of error. Other load of the machine counts, too.
"""

import asyncio
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Coroutine
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from tests.benchmarks.measuring import measure
from tests.harbor_env.rollouts import environment, outcome
from tests.run.tasks import reward, write_task

_BEAT = 0.005
_MEGABYTES = 150
_LARGE_ROLLOUTS = 6
_AGENT = "sleep 2; echo 1 > /app/made"
_AGENT_SECONDS = 30
_LOOPS = ("asyncio", "uvloop")


async def _beat(delays: list[float]) -> None:
    while True:
        begun = time.perf_counter()
        await asyncio.sleep(_BEAT)
        delays.append(time.perf_counter() - begun - _BEAT)


async def _measured(work: Coroutine[Any, Any, Any]) -> tuple[Any, list[float]]:
    delays: list[float] = []
    beating = asyncio.ensure_future(_beat(delays))
    try:
        return await work, delays
    finally:
        beating.cancel()


def _run(loop: str, rollouts: int, megabytes: int) -> None:
    """Run the rollouts in this process, and print the measurements."""
    run: Callable[..., Any] = import_module(loop).run
    with tempfile.TemporaryDirectory() as folder:
        task = write_task(Path(folder, "data", "task"), tests=reward("$(cat /app/made)"))
        if megabytes:
            (task / "tests" / "large").write_bytes(os.urandom(megabytes << 20))
        env = environment(Path(folder, "data"), _AGENT, timeout_seconds=_AGENT_SECONDS)
        begun = time.perf_counter()
        results, delays = run(_measured(env.evaluate(rollouts_per_example=rollouts, max_concurrent=rollouts)))
        seconds = time.perf_counter() - begun
    outcomes = Counter(outcome(state) for state in results["state"])
    good = outcomes.pop((1.0, None), 0)
    others = ", ".join(f"{times} {kind} {value}" for (value, kind), times in sorted(outcomes.items(), key=str))
    delays.sort()
    lag, usual = 1000 * delays[-1], 1000 * delays[len(delays) * 99 // 100]
    print(f"{lag:>8.0f} ms{usual:>8.0f} ms{seconds:>9.1f} s{good:>6} of {rollouts:<6}{others}")


def main() -> None:
    """Run all measurements, and print a line for each."""
    if sys.argv[1:2] == ["run"]:
        _run(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
        return
    rollouts, loops = int([*sys.argv, "200"][1]), sys.argv[2:] or _LOOPS
    print(f"load {' '.join(f'{load:.1f}' for load in os.getloadavg())} on {os.cpu_count()} processors")
    print(f"{'':<32}{'greatest':>11}{'99 %':>11}{'in all':>11}  with reward")
    for megabytes, number in ((0, rollouts), (_MEGABYTES, _LARGE_ROLLOUTS)):
        for loop in loops:
            if find_spec(loop) is None:
                print(f"{loop} is NOT MEASURED: pip install {loop}")
                continue
            _, output = measure("tests.harbor_env.lag", "run", loop, str(number), str(megabytes))
            title = f"{number} rollouts" + (f", {megabytes} MB" if megabytes else "")
            print(f"{title:<24}{loop:<8}{output.splitlines()[-1]}", flush=True)


if __name__ == "__main__":
    main()
