"""Copy files to and from a sandbox as tar archives, through a program that runs on the host."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from threading import Event
from typing import IO, cast

from parity.driver.sandbox import TransferError
from parity.driver.sandboxes.process import Program
from parity.driver.sandboxes.tar import LeftOut, pack, unpack, unpack_compressed, unpack_file
from parity.driver.sandboxes.tar_members import BrokenArchive, limits_of
from parity.driver.threads import start_in_thread

_LOG = logging.getLogger("parity.driver")

SECONDS = 600
"""The timeout for one transfer, in seconds."""

_LAST_MOMENT = 5
"""Seconds to wait for the thread to end after the program was killed."""

_LOGGED = 20
"""The largest number of lines about one transfer in the log."""


async def receive(
    program: Program,
    source: str,
    target: Path,
    *,
    directory: bool,
    max_bytes: int | None,
    siblings: Collection[str] = (),
) -> None:
    """Unpack the archive that a program writes to its standard output, and log what the program says about it.

    The arguments except `program` and `siblings` have the same meaning as for `Sandbox.get`; for `siblings`, see
    `unpack`.

    Raises:
        TransferError: the program failed, or its archive is refused.
    """
    stream, limits = cast("IO[bytes]", program.stdout), limits_of(max_bytes)

    def take() -> list[LeftOut]:
        with stream:
            left_out = list[LeftOut]()
            if directory:
                left_out = unpack(stream, target, limits, siblings=siblings)
            else:
                unpack_file(stream, target, limits)
            return left_out

    left_out, printed = await _watched(program, take)
    _log_left_out(source, left_out)
    for line in printed.splitlines()[:_LOGGED]:
        _LOG.warning("%s: %s", source, line)


async def send(program: Program, source: Path, name: str) -> None:
    """Send a tar archive to a program's standard input, with a file as `name` or a directory's content below `name`.

    Raises:
        TransferError: the program failed, or the source cannot be read.
    """
    stream = cast("IO[bytes]", program.stdin)

    def give() -> None:
        # A program that ends early prints an error message itself.
        with suppress(BrokenPipeError), stream:
            pack(source, stream, name=name)

    await _watched(program, give)


async def unpack_downloaded(archive: Path, source: str, target: Path, max_bytes: int | None) -> None:
    """Unpack an archive that is compressed with gzip, and that was downloaded from `source`, into a directory.

    Raises:
        TransferError: the archive is broken or has more than `max_bytes` bytes, or a file cannot be written.
    """
    stopped = Event()
    unpacking = partial(unpack_compressed, archive, target, limits_of(max_bytes), is_stopped=stopped.is_set)
    async with _working(unpacking, stopped.set) as working:
        left_out = working.result()
    _log_left_out(source, left_out)


def _log_left_out(source: str, left_out: list[LeftOut]) -> None:
    """Log the archive members that were left out, to explain missing files."""
    for member in left_out[:_LOGGED]:
        _LOG.warning("%s: left out %.200r: %s", source, member.name, member.reason)
    if len(left_out) > _LOGGED:
        _LOG.warning("%s: left out %d more", source, len(left_out) - _LOGGED)


async def _watched[T](program: Program, work: Callable[[], T]) -> tuple[T, str]:
    """Run a function that reads or writes one of the program's pipes in a thread, and wait until both have ended.

    Returns:
        The function's result, and what the program has printed on standard error.
    """
    try:
        # When the program has ended, its pipes are closed, so that the thread ends, too.
        async with _working(work, program.kill) as working:
            if isinstance(error := working.exception(), Exception) and not isinstance(error, BrokenArchive):
                raise error
            ended = await program.result()
    finally:
        program.close()
    # If the program failed, its error message explains the failure better than the broken archive does.
    if ended.code:
        first_line = ended.stderr.strip().partition("\n")[0]
        raise TransferError(first_line or f"the program that carries files ended with {ended.code}")
    return working.result(), ended.stderr


@asynccontextmanager
async def _working[T](work: Callable[[], T], stop: Callable[[], object]) -> AsyncIterator[asyncio.Future[T]]:
    """Run a function in a thread, and execute the `with` block when it has ended. Both have one timeout.

    If the function has not ended by the timeout or the caller is cancelled, it is stopped, and has a moment to end.
    """
    working = start_in_thread(work)
    try:
        async with asyncio.timeout(SECONDS) as limit:
            await asyncio.wait({working})
            yield working
    except TimeoutError:
        if not limit.expired():
            raise
        raise TransferError(f"took longer than {SECONDS} seconds") from None
    finally:
        stop()
        await asyncio.wait({working}, timeout=_LAST_MOMENT)
