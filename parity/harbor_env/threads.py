"""Run functions in threads, and make temporary directories, so that a cancelled rollout leaves neither behind."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any


@asynccontextmanager
async def temporary_directory() -> AsyncIterator[Path]:
    """Make an empty directory, and remove it at the end of the block."""
    directory = TemporaryDirectory(prefix="harbor-env-")
    try:
        yield Path(directory.name)
    finally:
        await in_thread(directory.cleanup)


async def in_thread[T](work: Callable[..., T], *arguments: Any) -> T:
    """Run a function in a thread and return its result. A caller that is cancelled waits until the function returns."""
    # The executor is the event loop's default, which an event loop with virtual time can replace.
    return await finished(asyncio.get_running_loop().run_in_executor(None, partial(work, *arguments)))


async def finished[T](future: asyncio.Future[T]) -> T:
    """Return the result of a future. A caller that is cancelled still waits until the future is done."""
    try:
        return await asyncio.shield(future)
    except asyncio.CancelledError:
        while not future.done():
            with suppress(asyncio.CancelledError):
                await asyncio.wait({future})
        future.cancelled() or future.exception()  # marks the exception as seen, because the caller has ended
        raise
