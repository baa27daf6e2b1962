"""Work in threads and temporary directories, which a cancelled rollout ends in order."""

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
    """Run work in a thread and return its result. A cancelled caller waits until the thread has ended."""
    # By the event loop's executor, which a loop in virtual time can replace.
    return await finished(asyncio.get_running_loop().run_in_executor(None, partial(work, *arguments)))


async def finished[T](future: asyncio.Future[T]) -> T:
    """Return the result of a future. A cancelled caller waits for its end, too."""
    try:
        return await asyncio.shield(future)
    except asyncio.CancelledError:
        while not future.done():
            with suppress(asyncio.CancelledError):
                await asyncio.wait({future})
        future.cancelled() or future.exception()  # marks the exception as seen, because the caller has ended
        raise
