"""Run host programs that act on a sandbox, with limits on output and time."""

import asyncio
import os
from collections import deque
from collections.abc import Awaitable, Callable
from typing import IO

from parity.driver.sandbox import Executed
from parity.driver.sandboxes.starting import Process, end, start
from parity.driver.sandboxes.streaming import in_thread

_BLOCK = 1 << 16

_LAST_WORDS = 0.2
"""Seconds to wait for output after a command has ended, if background processes keep its pipes open."""


_KEPT = 1 << 20
"""Bytes that are kept from the beginning of an output, and from its end."""


class Captured:
    """A stream's text with bounded memory."""

    def __init__(self) -> None:
        self._start = bytearray()
        self._end: deque[bytes] = deque()
        self._end_size = 0
        self._left_out = 0

    def add(self, piece: bytes) -> None:
        """Add the next bytes of the stream."""
        room = _KEPT - len(self._start)
        if room > 0:
            self._start += piece[:room]
            piece = piece[room:]
        if not piece:
            return
        self._end.append(piece)
        self._end_size += len(piece)
        while self._end_size - len(self._end[0]) >= _KEPT:
            dropped = len(self._end.popleft())
            self._end_size -= dropped
            self._left_out += dropped

    def text(self) -> str:
        """Return the text, with a line in place of bytes that were left out. Bytes that are not UTF-8 are replaced."""
        end = b"".join(self._end)
        left_out = self._left_out + max(0, len(end) - _KEPT)
        gap = f"\n[{left_out:,} bytes left out]\n".encode() if left_out else b""
        return b"".join((self._start, gap, end[-_KEPT:])).decode(errors="replace")


class Started:
    """A running program, its output so far, and events for its end."""

    def __init__(self, process: Process) -> None:
        self._process = process
        self._pipes = {1: _pipe(process.stdout), 2: _pipe(process.stderr)}
        self._listened_to = set[int]()
        self.streams = {number: Captured() for number in self._pipes}
        self.begun = asyncio.Event()
        """Set when it has printed something or ended."""
        self.ended = asyncio.Event()
        self.silent = asyncio.Event()
        in_thread(process.wait).add_done_callback(self._has_ended)
        # Not by the loop's own pipes: uvloop closes descriptors twice, and another thread may have got the same number.
        loop = asyncio.get_running_loop()
        for number, pipe in self._pipes.items():
            os.set_blocking(pipe.fileno(), False)
            loop.add_reader(pipe.fileno(), self._take, number, pipe.fileno())
            self._listened_to.add(number)

    def _take(self, number: int, descriptor: int) -> None:
        """Read the output in one of the program's pipes, or note that the pipe is closed."""
        try:
            data = os.read(descriptor, _BLOCK)
        except BlockingIOError:
            return
        if data:
            self.begun.set()
            self.streams[number].add(data)
            return
        self._leave(number)
        if not self._listened_to:
            self.silent.set()

    def _leave(self, number: int) -> None:
        if number in self._listened_to:
            self._listened_to.remove(number)
            asyncio.get_running_loop().remove_reader(self._pipes[number].fileno())
        self._pipes[number].close()

    def _has_ended(self, _: object) -> None:
        self.begun.set()
        self.ended.set()

    async def executed(
        self, timeout: float | None, begin: Callable[["Started"], Awaitable[None]] | None = None
    ) -> Executed:
        """Wait until the program ends, and return the result.

        Args:
            timeout: seconds; None and 0 for any time.
            begin: awaited before the time is measured.

        Raises:
            RuntimeError: the program took longer than the timeout. It keeps running.
        """
        try:
            async with asyncio.timeout(timeout or None):
                if begin is not None:
                    await begin(self)
                await self.ended.wait()
            async with asyncio.timeout(_LAST_WORDS):
                await self.silent.wait()
        except TimeoutError:
            if not self.ended.is_set():
                raise RuntimeError(f"Command timed out after {timeout} seconds") from None
        code = self._process.wait()
        return Executed(code if code >= 0 else 128 - code, self.streams[1].text(), self.streams[2].text())

    def kill(self) -> None:
        """Kill the program, if it is running."""
        self._process.kill()

    def close(self) -> None:
        """Stop reading the program's output."""
        for number in self._pipes:
            self._leave(number)


def _pipe(stream: IO[bytes] | None) -> IO[bytes]:
    assert stream is not None
    return stream


async def started(begin: Callable[[], Process]) -> Started:
    """Start a process, and read its output.

    Args:
        begin: starts the process, and may block until it works.
    """
    return Started(await start(begin, end))


class Commands:
    """The commands of one sandbox. `close` stops reading the output of those that still run."""

    def __init__(self) -> None:
        self._talking: list[Started] = []

    async def run(self, begin: Callable[[], Process], *, timeout: float | None = None) -> Executed:
        """Run a process until it ends. Its background processes keep running.

        Args:
            begin: starts the process, and may block until it works.
            timeout: seconds after the start; None and 0 for any time.

        Raises:
            RuntimeError: the process took longer than the timeout.
        """
        running = await started(begin)
        try:
            return await running.executed(timeout)
        finally:
            if not running.ended.is_set():
                running.kill()
            self._release(running)

    async def follow(self, process: Process, *, timeout: float | None = None) -> Executed:
        """Wait for a running process like `run`, but never kill it: it ends with its sandbox."""
        running = Started(process)
        try:
            return await running.executed(timeout)
        finally:
            self._release(running)

    def _release(self, running: Started) -> None:
        if running.silent.is_set() and running.ended.is_set():
            running.close()
        else:
            # A closed pipe would kill background processes as soon as they print.
            self._talking.append(running)

    async def close(self) -> None:
        """Stop reading the output of background processes."""
        while self._talking:
            running = self._talking.pop()
            await running.ended.wait()
            running.close()
