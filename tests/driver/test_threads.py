"""Tests that work on a task's files is done in threads, so that it stops no other trial."""

import asyncio
import gc
import io
import subprocess
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import IO, cast

import pytest

from parity.driver.places import TrialDirectory
from parity.driver.reward_limits import read_rewards
from parity.driver.sandboxes.process import Program
from parity.driver.sandboxes.tar import pack, unpack, unpack_compressed, unpack_file
from parity.driver.sandboxes.transfer import receive
from parity.driver.threads import in_thread, start_in_thread
from parity.driver.trial_sandbox import remaining_bytes
from parity.harbor_env.scoring import documented_score, harbor_score
from parity.operations.scenarios.virtual_time import run_virtually
from parity.scorer.series import OFFICIAL

_NOWHERE = Path("/nowhere")


@pytest.mark.parametrize(
    "work",
    [
        lambda: pack(_NOWHERE, io.BytesIO(), name="."),
        lambda: unpack(io.BytesIO(), _NOWHERE),
        lambda: unpack_file(io.BytesIO(), _NOWHERE),
        lambda: unpack_compressed(_NOWHERE, _NOWHERE),
        lambda: read_rewards(_NOWHERE, OFFICIAL),
        lambda: remaining_bytes(_NOWHERE),
        lambda: TrialDirectory(_NOWHERE).move_contents(TrialDirectory(_NOWHERE)),
        lambda: harbor_score(_NOWHERE),
        lambda: documented_score(""),
    ],
    ids=lambda work: work.__code__.co_names[0],
)
def test_work_on_files_is_refused_in_an_event_loop(work: Callable[[], object]) -> None:
    """A function that works on a task's files raises an error in a thread that runs an event loop."""

    async def call() -> None:
        work()

    with pytest.raises(RuntimeError, match=r"^[\w.]+ would block the event loop; call it by in_thread$"):
        asyncio.run(call())


def test_thread_runs_beside_the_event_loop() -> None:
    """The event loop runs while a function runs in a thread."""
    has_looped = threading.Event()

    async def run() -> bool:
        asyncio.get_running_loop().call_later(0.01, has_looped.set)
        return await in_thread(has_looped.wait, 600)

    assert asyncio.run(run())


def test_virtual_time_needs_no_thread(tmp_path: Path) -> None:
    """In virtual time, the loop calls the function itself, so that the time limit of a case can interrupt it."""
    callers: list[int] = []

    async def run() -> int:
        await in_thread(lambda: callers.append(threading.get_ident()))
        return await in_thread(remaining_bytes, tmp_path)

    assert run_virtually(run()) > 0
    assert callers == [threading.get_ident()]


def test_threads_do_not_wait_for_each_other() -> None:
    """A hundred functions that wait for each other all end, because each has its own thread."""
    barrier = threading.Barrier(100)

    async def run() -> list[int]:
        return await asyncio.gather(*(in_thread(barrier.wait, 600) for _ in range(100)))

    assert sorted(asyncio.run(run())) == list(range(100))


def test_cancelled_caller_waits_for_its_thread() -> None:
    """A caller that is cancelled ends after the function in its thread, and raises the cancellation."""
    begun, released, ended = threading.Event(), threading.Event(), threading.Event()

    def work() -> None:
        begun.set()
        released.wait(600)
        time.sleep(0.05)
        ended.set()

    async def run() -> bool:
        calling = asyncio.ensure_future(in_thread(work))
        await in_thread(begun.wait, 600)
        calling.cancel()
        released.set()
        with pytest.raises(asyncio.CancelledError):
            await calling
        return ended.is_set()

    assert asyncio.run(run())


def _unretrieved(run: Callable[[], object]) -> list[str]:
    """Run a coroutine function, and return the messages of the event loop's exception handler."""
    messages = list[str]()

    async def watched() -> None:
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(lambda loop, context: messages.append(str(context["message"])))
        await run()  # type: ignore[misc]
        gc.collect()
        await asyncio.sleep(0)

    asyncio.run(watched())
    return messages


def test_cancelled_transfer_reports_no_exception(tmp_path: Path) -> None:
    """When a transfer is cancelled, the exception of its thread is not reported as never retrieved."""

    async def run() -> None:
        program = Program(["sleep", "3600"], stdin=subprocess.DEVNULL, collects=False)
        receiving = asyncio.ensure_future(receive(program, "/logs", tmp_path, directory=True, max_bytes=None))
        await asyncio.sleep(0.2)
        receiving.cancel()
        await asyncio.wait({receiving})

    assert _unretrieved(run) == []


def test_failed_thread_without_a_caller_reports_no_exception() -> None:
    """An exception in a thread that nobody awaits is not reported."""

    async def run() -> None:
        await asyncio.wait({start_in_thread(lambda: cast("IO[bytes]", None).close())})

    assert _unretrieved(run) == []
