"""Starts programs of the host in threads, a few at a time, so that the event loop goes on meanwhile.

Starting a program blocks the thread until the program runs, which takes longer the more programs start at the same
time; hundreds at once would delay one another and block the event loop. So each waits for its turn.
"""

import asyncio
import os
import select
import subprocess
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager, suppress
from contextvars import ContextVar
from functools import cache
from typing import IO, Any, Protocol

from parity.driver.sandboxes.kernel import memfd_create

_LIMITS: ContextVar[tuple[asyncio.Timeout, ...]] = ContextVar("limits", default=())
"""The times that run for whoever is waiting."""


async def start[T](begin: Callable[[], T], undo: Callable[[T], None]) -> T:
    """What starting a program gives, once it has its turn.

    Args:
        begin: starts the program, and may wait until that is at work; it runs in a thread that stays as long as this
            process, since bubblewrap ends with the thread that has started it.
        undo: is called with that where whoever waits for it is cancelled.
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
    """Like `asyncio.timeout`, but without the time in which a program within is only being started.

    Raises:
        TimeoutError: the time is up.
    """
    async with asyncio.timeout(seconds) as limit:
        token = _LIMITS.set((*_LIMITS.get(), limit))
        try:
            yield
        finally:
            _LIMITS.reset(token)


@contextmanager
def _stopped_clocks() -> Iterator[None]:
    """Stop the limits of the current task while it waits for its turn, and extend them by that time."""
    begun = asyncio.get_running_loop().time()
    stopped = {limit: when for limit in _LIMITS.get() if (when := limit.when()) is not None and not limit.expired()}
    for limit in stopped:
        limit.reschedule(None)
    try:
        yield
    finally:
        waited = asyncio.get_running_loop().time() - begun
        for limit, when in stopped.items():
            with suppress(RuntimeError):  # it has ended meanwhile
                limit.reschedule(when + waited)


@cache
def _turns(process: int) -> ThreadPoolExecutor:
    """Takes what is to be started; a process that was forked has threads of its own."""
    processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    # More threads than processors take turns in keeping the interpreter's lock from the event loop.
    return ThreadPoolExecutor(max(2, processors), "starting")


class Process(Protocol):
    """What runs, as `subprocess.Popen` names its parts."""

    stdin: IO[bytes] | None
    stdout: IO[bytes] | None
    stderr: IO[bytes] | None
    returncode: int | None

    def kill(self) -> None: ...

    def wait(self, timeout: float | None = None) -> int: ...


type Startable = Callable[..., Process]
"""Starts a process; `stdin`, `stdout` and `bufsize` are as in `subprocess.Popen`."""


def program(
    argv: Sequence[str], *, stdin: int = subprocess.DEVNULL, stdout: int = subprocess.PIPE, **options: Any
) -> subprocess.Popen[bytes]:
    """Start a program, out of reach of Ctrl-C, which is for this process alone; options are those of `Popen`."""
    given = {"stderr": subprocess.PIPE, "bufsize": 0, **options}
    return subprocess.Popen(argv, stdin=stdin, stdout=stdout, start_new_session=True, **given)


def end(process: Process) -> None:
    """Kill a program whose output is not needed any more; what it has started may keep its pipes open."""
    process.kill()
    for pipe in filter(None, (process.stdin, process.stdout, process.stderr)):
        pipe.close()
    process.wait()


def read_all(descriptor: int, seconds: float) -> bytes | None:
    """What is written to a pipe until all writers have closed it; None if one is left after these seconds."""
    pieces, deadline = list[bytes](), time.monotonic() + seconds
    while is_readable(descriptor, deadline - time.monotonic()):
        if not (piece := os.read(descriptor, 1 << 16)):
            return b"".join(pieces)
        pieces.append(piece)
    return None


def is_readable(descriptor: int, seconds: float) -> bool:
    """Whether there is something to read, or no writer left, within these seconds."""
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    return bool(poll.poll(max(0.0, seconds) * 1000))


def in_memory(content: bytes) -> int:
    """A descriptor at the start of what only those see that have it."""
    descriptor = memfd_create("content")
    with open(descriptor, "wb", closefd=False) as file:
        file.write(content)
    os.lseek(descriptor, 0, os.SEEK_SET)
    return descriptor
