"""Start host programs in threads, a few at a time, so that the event loop is not blocked.

Starting a program blocks a thread until the program runs, and takes longer the more programs start at the same time.
Hundreds at once would delay one another and block the event loop, so each start waits for its turn.
"""

import asyncio
import os
import select
import subprocess
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager, suppress
from contextvars import ContextVar
from functools import cache
from typing import IO, Any, Protocol

from parity.driver.timeouts import waitable

_LIMITS: ContextVar[tuple[asyncio.Timeout, ...]] = ContextVar("limits", default=())
"""The time limits of the current task."""


async def start[T](begin: Callable[[], T], undo: Callable[[T], None]) -> T:
    """Wait for a turn, run a function that starts a program, and return its result.

    Args:
        begin: starts the program, and may block until it works. It runs in a thread that lives as long as this
            process, because bubblewrap ends with the thread that started it.
        undo: called with the result if the caller has been cancelled.
    """
    turn = _turns(os.getpid()).submit(begin)
    waiting = asyncio.wrap_future(turn)
    with _stopped_clocks():
        try:
            return await asyncio.shield(waiting)
        except asyncio.CancelledError:
            if not turn.cancel():
                while not waiting.done():
                    with suppress(asyncio.CancelledError):
                        await asyncio.wait({waiting})
                if waiting.exception() is None:
                    undo(waiting.result())
            raise


@asynccontextmanager
async def limited(seconds: float | None) -> AsyncIterator[None]:
    """Limit the time of a block like `asyncio.timeout`, but without the time that programs take to start.

    Raises:
        TimeoutError: the time is up.
    """
    async with asyncio.timeout(waitable(seconds)) as limit:
        token = _LIMITS.set((*_LIMITS.get(), limit))
        try:
            yield
        finally:
            _LIMITS.reset(token)


@contextmanager
def _stopped_clocks() -> Iterator[None]:
    """Pause the time limits of the current task while it waits for its turn."""
    begun = asyncio.get_running_loop().time()
    stopped = {limit: when for limit in _LIMITS.get() if (when := limit.when()) is not None and not limit.expired()}
    for limit in stopped:
        limit.reschedule(None)
    try:
        yield
    finally:
        waited = asyncio.get_running_loop().time() - begun
        for limit, when in stopped.items():
            with suppress(RuntimeError):  # the limit has ended meanwhile
                limit.reschedule(when + waited)


@cache
def _turns(process: int) -> ThreadPoolExecutor:
    """Return the threads that start programs. A forked process needs its own."""
    processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    # More threads than processors would keep the interpreter's lock from the event loop.
    return ThreadPoolExecutor(max(2, processors), "starting")


class Process(Protocol):
    """A process with the attributes of `subprocess.Popen`."""

    stdin: IO[bytes] | None
    stdout: IO[bytes] | None
    stderr: IO[bytes] | None
    returncode: int | None

    def kill(self) -> None: ...

    def wait(self, timeout: float | None = None) -> int: ...


type Startable = Callable[..., Process]
"""A callable that starts a process; `stdin`, `stdout` and `bufsize` are as in `subprocess.Popen`."""


def program(
    argv: Sequence[str], *, stdin: int = subprocess.DEVNULL, stdout: int = subprocess.PIPE, **options: Any
) -> subprocess.Popen[bytes]:
    """Start a program that Ctrl-C does not reach; it is meant for this process only. Options are Popen's."""
    given = {"stderr": subprocess.PIPE, "bufsize": 0, **options}
    return subprocess.Popen(argv, stdin=stdin, stdout=stdout, start_new_session=True, **given)


def end(process: Process) -> None:
    """Kill a program and close its pipes, which its background processes may keep open."""
    process.kill()
    for pipe in filter(None, (process.stdin, process.stdout, process.stderr)):
        pipe.close()
    process.wait()


def read_all(descriptor: int, seconds: float) -> bytes | None:
    """Read a pipe until all writers have closed it; return None if a writer is left after these seconds."""
    pieces, deadline = list[bytes](), time.monotonic() + seconds
    while is_readable(descriptor, deadline - time.monotonic()):
        if not (piece := os.read(descriptor, 1 << 16)):
            return b"".join(pieces)
        pieces.append(piece)
    return None


def is_readable(descriptor: int, seconds: float) -> bool:
    """Return whether a pipe has something to read, or no writer, within these seconds."""
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    return bool(poll.poll(max(0.0, seconds) * 1000))


def unnamed_file(content: bytes) -> int:
    """Return a descriptor at the start of a file without a name, which no other process can open."""
    with tempfile.TemporaryFile() as file:
        file.write(content)
        file.seek(0)
        return os.dup(file.fileno())
