"""Streams an archive to or from a program of the host that acts on a sandbox."""

import asyncio
import subprocess
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import IO

from parity.driver.sandbox import TransferError
from parity.driver.sandboxes.archive import BrokenArchive

SECONDS = 600
"""Patience with one transfer."""

PADDING = 1 << 20
"""Bytes that may follow the end of an archive."""


@dataclass(frozen=True)
class Program:
    """A program at one end of a transfer."""

    argv: Sequence[str]
    pass_fds: Sequence[int] = ()
    accepted: frozenset[int] = frozenset({0})
    """Exit codes at which what it did counts."""


async def receive[T](program: Program, take: Callable[[IO[bytes]], T]) -> T:
    """What `take` makes of a program's output; it runs in a thread.

    Raises:
        TransferError: the program failed, or `take` raised it.
    """
    with subprocess.Popen(
        program.argv,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        pass_fds=program.pass_fds,
        start_new_session=True,
    ) as process:
        assert process.stdout is not None
        stream = process.stdout

        def take_all() -> T:
            taken = take(stream)
            stream.read(PADDING)
            return taken

        return await _watched(program, process, take_all)


async def send(program: Program, give: Callable[[IO[bytes]], None]) -> None:
    """Let `give` write a program's input; it runs in a thread.

    Raises:
        TransferError: the program failed, or `give` raised it.
    """
    with subprocess.Popen(
        program.argv,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        pass_fds=program.pass_fds,
        start_new_session=True,
    ) as process:
        assert process.stdin is not None
        stream = process.stdin

        def give_all() -> None:
            try:
                # A program that ends early tells why by itself.
                with suppress(BrokenPipeError):
                    give(stream)
            finally:
                with suppress(BrokenPipeError):
                    stream.close()

        await _watched(program, process, give_all)


async def _watched[T](program: Program, process: subprocess.Popen[bytes], work: Callable[[], T]) -> T:
    working = asyncio.create_task(asyncio.to_thread(_finish, process, work))
    try:
        async with asyncio.timeout(SECONDS):
            done, error, said = await asyncio.shield(working)
    except TimeoutError:
        raise TransferError(f"took longer than {SECONDS} seconds") from None
    finally:
        # With the program the pipes end, and with them the thread.
        process.kill()
        await asyncio.wait({working})
    if error is not None and not isinstance(error, BrokenArchive):
        raise error
    if process.returncode not in program.accepted:
        raise TransferError(said or f"{program.argv[0]} ended with {process.returncode}")
    if error is not None:
        raise error
    return done  # type: ignore[return-value]


def _finish[T](process: subprocess.Popen[bytes], work: Callable[[], T]) -> tuple[T | None, Exception | None, str]:
    """What the work came to, what it raised, and the program's first line of complaint."""
    done, failed = None, None
    try:
        done = work()
    except Exception as error:
        failed = error
        if not isinstance(error, BrokenArchive):
            process.kill()
            process.wait()
            return None, error, ""
    assert process.stderr is not None
    said = process.stderr.read(2000).decode(errors="replace").strip().partition("\n")[0]
    with suppress(subprocess.TimeoutExpired):
        process.wait(5)
    process.kill()
    process.wait()
    return done, failed, said
