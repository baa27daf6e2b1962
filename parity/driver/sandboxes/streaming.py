"""Stream an archive to or from a host program that acts on a sandbox."""

import _thread
import asyncio
import logging
import subprocess
import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import IO, cast

from parity.driver.sandbox import TransferError
from parity.driver.sandboxes.archive import BrokenArchive, limits_of
from parity.driver.sandboxes.starting import Process, Startable, end, start
from parity.driver.sandboxes.unpacking import LeftOut, unpack, unpack_file

_LOG = logging.getLogger("parity.driver")

SECONDS = 600
"""The time limit of one transfer, in seconds."""

_LAST_MOMENT = 5
"""Seconds to wait until the thread ends after its program was killed."""

_PADDING = 1 << 20
"""The most bytes after the end of an archive."""


async def fetch(transfer: Startable, source: str, target: Path, *, directory: bool, room: int | None) -> None:
    """Unpack an archive that a program packs in a sandbox. The other arguments are those of `Sandbox.get`.

    Raises:
        TransferError: the program failed, or its archive is refused.
    """
    process = await _started(transfer, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
    stream, limits = cast("IO[bytes]", process.stdout), limits_of(room)

    def take_all() -> list[LeftOut]:
        left_out = list[LeftOut]()
        if directory:
            left_out = unpack(stream, target, limits)
        else:
            unpack_file(stream, target, limits)
        stream.read(_PADDING)
        return left_out

    # Not in the thread, where the context variable of the trial's log is not set.
    log_left_out(source, await _watched(process, take_all))


async def send(transfer: Startable, give: Callable[[IO[bytes]], None]) -> None:
    """Write a program's input by `give`, which runs in a thread.

    Raises:
        TransferError: the program failed, or `give` raised it.
    """
    process = await _started(transfer, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
    stream = cast("IO[bytes]", process.stdin)

    def give_all() -> None:
        try:
            # A program that ends early prints its own error.
            with suppress(BrokenPipeError):
                give(stream)
        finally:
            with suppress(BrokenPipeError):
                stream.close()

    await _watched(process, give_all)


def log_left_out(source: str, left_out: list[LeftOut]) -> None:
    """Log the members that were left out, to explain missing files."""
    for member in left_out[:20]:
        _LOG.warning("%s: left out %.200r: %s", source, member.name, member.reason)
    if len(left_out) > 20:
        _LOG.warning("%s: left out %d more", source, len(left_out) - 20)


async def _started(transfer: Startable, *, stdin: int, stdout: int) -> Process:
    return await start(partial(transfer, stdin=stdin, stdout=stdout, bufsize=-1), end)


async def _watched[T](process: Process, work: Callable[[], T]) -> T:
    working = in_thread(partial(_finish, process, work))
    try:
        async with asyncio.timeout(SECONDS):
            done, error, said = await asyncio.shield(working)
    except TimeoutError:
        raise TransferError(f"took longer than {SECONDS} seconds") from None
    finally:
        # The end of the program closes its pipes, so the thread ends and closes ours. Closing them here would wait for
        # the thread's read, which may wait for another process at the other end.
        process.kill()
        end = asyncio.get_running_loop().time() + _LAST_MOMENT
        while not working.done() and (left := end - asyncio.get_running_loop().time()) > 0:
            with suppress(asyncio.CancelledError):  # a second cancellation changes nothing
                await asyncio.wait({working}, timeout=left)
    if error is not None and not isinstance(error, BrokenArchive):
        raise error
    if process.returncode:
        raise TransferError(said or f"the program that carries files ended with {process.returncode}")
    if error is not None:
        raise error
    return done  # type: ignore[return-value]


def in_thread[T](work: Callable[[], T]) -> asyncio.Future[T]:
    """Run work in a new thread, and return a future. Neither the event loop nor Python's end waits for the thread."""
    done: Future[T] = Future()
    done.set_running_or_notify_cancel()

    def run() -> None:
        try:
            result = work()
        except BaseException as error:
            done.set_exception(error)
        else:
            done.set_result(result)

    # Not `threading.Thread`, which waits until the thread has begun; on a busy machine that takes long.
    _thread.start_new_thread(run, ())
    return asyncio.wrap_future(done)


def _read_lines(stream: IO[bytes], lines: list[bytes]) -> None:
    """Read all lines, because a program that cannot print stops. Only a few are kept."""
    with suppress(ValueError):  # closed meanwhile
        while line := stream.readline(2000):
            if line.strip() and len(lines) < 10:
                lines.append(line)


def _finish[T](process: Process, work: Callable[[], T]) -> tuple[T | None, Exception | None, str]:
    """Return the result of the work, its error, and the first line that the program printed to standard error."""
    done, failed, lines = None, None, list[bytes]()
    reading = threading.Thread(target=_read_lines, args=(cast("IO[bytes]", process.stderr), lines), daemon=True)
    reading.start()
    try:
        try:
            done = work()
        except Exception as error:
            if not isinstance(error, BrokenArchive):
                return None, error, ""
            failed = error
        reading.join(_LAST_MOMENT)
        said = b"".join(lines[:1]).decode(errors="replace").strip()
        with suppress(subprocess.TimeoutExpired):
            process.wait(5)
    finally:
        end(process)
    return done, failed, said
