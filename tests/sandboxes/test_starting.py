"""Programs are started in turn, in threads, and waiting for a turn does not count for time limits."""

import asyncio
import os
import threading
import time

import pytest

from parity.driver.sandboxes.starting import limited, start

_MANY = 50


def test_a_few_are_started_at_once() -> None:
    """Only a few programs are started at the same time, and the event loop is not blocked."""
    most, lock, running = 0, threading.Lock(), 0

    def begin() -> int:
        nonlocal most, running
        with lock:
            running += 1
            most = max(most, running)
        time.sleep(0.01)
        with lock:
            running -= 1
        return 1

    async def run() -> tuple[int, bool]:
        asked = asyncio.gather(*(start(begin, lambda _: None) for _ in range(_MANY)))
        await asyncio.sleep(0)
        waits = not asked.done()
        return sum(await asked), waits

    assert asyncio.run(run()) == (_MANY, True)
    assert most <= 2 * len(os.sched_getaffinity(0))


def test_whoever_waits_for_a_turn_loses_no_time() -> None:
    """The time limit begins when the program starts, not when it waits for its turn."""
    started: list[bool] = []

    async def run() -> None:
        async with limited(0.05):
            await start(lambda: time.sleep(0.5), lambda _: None)
            started.append(True)
            await asyncio.sleep(60)

    with pytest.raises(TimeoutError):
        asyncio.run(run())

    assert started == [True]


def test_what_was_started_for_nobody_is_undone() -> None:
    """If the caller is cancelled, a started program is undone, and a waiting one never starts."""
    begun, go_on, undone, never = threading.Event(), threading.Event(), list[str](), list[str]()

    def begin() -> str:
        begun.set()
        go_on.wait(60)
        return "program"

    async def run() -> list[bool]:
        starting_it = asyncio.ensure_future(start(begin, undone.append))
        await asyncio.to_thread(begun.wait, 60)
        busy = [asyncio.ensure_future(start(lambda: go_on.wait(60), lambda _: None)) for _ in range(_MANY)]
        late = asyncio.ensure_future(start(lambda: never.append("late"), lambda _: None))
        await asyncio.sleep(0.1)
        late.cancel()
        starting_it.cancel()
        await asyncio.sleep(0.1)
        waits = not starting_it.done()
        go_on.set()
        await asyncio.gather(*busy, starting_it, late, return_exceptions=True)
        return [waits, starting_it.cancelled(), late.cancelled()]

    assert asyncio.run(run()) == [True, True, True]
    assert (undone, never) == (["program"], [])


def test_an_error_reaches_whoever_has_asked() -> None:
    """An error of the start is raised in the caller."""

    def begin() -> None:
        raise FileNotFoundError("no such program")

    with pytest.raises(FileNotFoundError, match="no such program"):
        asyncio.run(start(begin, lambda _: None))
