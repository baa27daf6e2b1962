"""Runs programs of the host that act on a sandbox, with bounded output and bounded patience."""

import asyncio
from collections.abc import Callable
from functools import partial

from parity.driver.sandbox import Executed
from parity.driver.sandboxes.captured import Captured
from parity.driver.sandboxes.starting import Process, end, start
from parity.driver.sandboxes.streaming import in_thread

LAST_WORDS = 0.2
"""Seconds that output may follow the end of a command whose background processes keep its pipes open."""


class Started:
    """A program that runs: what it prints, and whether it has ended and nothing more can come."""

    def __init__(self, process: Process) -> None:
        self._process = process
        self._pipes: list[asyncio.BaseTransport] = []
        self.streams = {1: Captured(), 2: Captured()}
        self._open = set(self.streams)
        self.begun = asyncio.Event()
        """Set as soon as it has printed something, or ended."""
        self.ended = asyncio.Event()
        self.silent = asyncio.Event()
        in_thread(process.wait).add_done_callback(self._has_ended)

    async def listen(self) -> None:
        """Begin to take what it prints."""
        loop = asyncio.get_running_loop()
        for number, pipe in (1, self._process.stdout), (2, self._process.stderr):
            transport, _ = await loop.connect_read_pipe(partial(_Stream, self, number), pipe)
            self._pipes.append(transport)

    def take(self, number: int, data: bytes) -> None:
        """Keep what it has printed."""
        self.begun.set()
        self.streams[number].add(data)

    def lose(self, number: int) -> None:
        """Take note that nothing more comes from one of its pipes."""
        self._open.discard(number)
        if not self._open:
            self.silent.set()

    def _has_ended(self, _: object) -> None:
        self.begun.set()
        self.ended.set()

    def executed(self) -> Executed:
        """What it came to, once it has ended."""
        code = self._process.wait()
        return Executed(code if code >= 0 else 128 - code, self.streams[1].text(), self.streams[2].text())

    def kill(self) -> None:
        """Kill it, if it runs."""
        self._process.kill()

    def close(self) -> None:
        """Listen no more."""
        for pipe in self._pipes:
            pipe.close()

    def abandon(self) -> None:
        """Kill it, and close its pipes, those that are not listened to yet included."""
        self.kill()
        self.close()
        for pipe in (self._process.stdout, self._process.stderr):
            assert pipe is not None
            pipe.close()


class _Stream(asyncio.Protocol):
    def __init__(self, running: Started, number: int) -> None:
        self._running, self._number = running, number

    def data_received(self, data: bytes) -> None:
        self._running.take(self._number, data)

    def connection_lost(self, exc: Exception | None) -> None:
        self._running.lose(self._number)


async def started(begin: Callable[[], Process]) -> Started:
    """Start a process, and listen to it.

    Args:
        begin: starts it, and may wait until it is at work.
    """
    running = Started(await start(begin, end))
    try:
        await running.listen()
    except BaseException:
        running.abandon()
        raise
    return running


class Commands:
    """The commands of one sandbox; `close` forgets the output of those that still run."""

    def __init__(self) -> None:
        self._talking: list[Started] = []

    async def run(self, begin: Callable[[], Process], *, timeout: float | None = None) -> Executed:
        """Run a process until it ends, whatever it leaves running.

        Args:
            begin: starts it, and may wait until it is at work.
            timeout: seconds from then; None and 0 are any time.

        Raises:
            RuntimeError: it took longer than the timeout.
        """
        running = await started(begin)
        try:
            async with asyncio.timeout(timeout or None):
                await running.ended.wait()
            async with asyncio.timeout(LAST_WORDS):
                await running.silent.wait()
        except TimeoutError:
            if not running.ended.is_set():
                raise RuntimeError(f"Command timed out after {timeout} seconds") from None
        finally:
            self._release(running)
        return running.executed()

    def _release(self, running: Started) -> None:
        if not running.ended.is_set():
            running.kill()
        if running.silent.is_set() and running.ended.is_set():
            running.close()
        else:
            # A closed pipe would kill what the command left running as soon as it prints.
            self._talking.append(running)

    async def close(self) -> None:
        """Stop reading what background processes print."""
        while self._talking:
            running = self._talking.pop()
            await running.ended.wait()
            running.close()
