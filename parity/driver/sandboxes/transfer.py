"""Copy files to and from a sandbox as tar archives, through a program that runs on the host."""

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import IO, cast

from parity.driver.sandbox import TransferError
from parity.driver.sandboxes.process import Program, in_thread
from parity.driver.sandboxes.tar import BrokenArchive, LeftOut, limits_of, pack, unpack, unpack_file

_LOG = logging.getLogger("parity.driver")

SECONDS = 600
"""The timeout for one transfer, in seconds."""

_LAST_MOMENT = 5
"""Seconds to wait for the thread to end after the program was killed."""

_PADDING = 1 << 20
"""The largest number of bytes that are read after the end of an archive."""


async def receive(program: Program, source: str, target: Path, *, directory: bool, max_bytes: int | None) -> None:
    """Unpack the archive that a program writes to its standard output.

    The arguments except `program` have the same meaning as for `Sandbox.get`.

    Raises:
        TransferError: the program failed, or its archive is refused.
    """
    stream, limits = cast("IO[bytes]", program.stdout), limits_of(max_bytes)

    def take() -> list[LeftOut]:
        with stream:
            left_out = list[LeftOut]()
            if directory:
                left_out = unpack(stream, target, limits)
            else:
                unpack_file(stream, target, limits)
            stream.read(_PADDING)
            return left_out

    # The log is not written in the thread, because the context variable for the trial's log is not set there.
    log_left_out(source, await _watched(program, take))


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


def log_left_out(source: str, left_out: list[LeftOut]) -> None:
    """Log the archive members that were left out, to explain missing files."""
    for member in left_out[:20]:
        _LOG.warning("%s: left out %.200r: %s", source, member.name, member.reason)
    if len(left_out) > 20:
        _LOG.warning("%s: left out %d more", source, len(left_out) - 20)


async def _watched[T](program: Program, work: Callable[[], T]) -> T:
    """Run a function that reads or writes one of the program's pipes in a thread, and wait until both have ended."""
    working = in_thread(work)
    try:
        async with asyncio.timeout(SECONDS) as limit:
            await asyncio.wait({working})
            if isinstance(error := working.exception(), Exception) and not isinstance(error, BrokenArchive):
                raise error
            ended = await program.result()
    except TimeoutError:
        if not limit.expired():
            raise
        raise TransferError(f"took longer than {SECONDS} seconds") from None
    finally:
        # When the program has ended, its pipes are closed, so that the thread ends, too.
        program.kill()
        await asyncio.wait({working}, timeout=_LAST_MOMENT)
        program.close()
    # If the program failed, its error message explains the failure better than the broken archive does.
    if ended.code:
        first_line = ended.stderr.strip().partition("\n")[0]
        raise TransferError(first_line or f"the program that carries files ended with {ended.code}")
    return working.result()
