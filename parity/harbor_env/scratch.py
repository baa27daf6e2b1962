"""Temporary directories that are removed after this process has ended, however it ended; and work in threads."""

import asyncio
import os
import tempfile
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from uuid import uuid4

from parity.harbor_env.tidying import Tidying

_TIDY_UP = 'for left in "$1"*; do [ ! -d "$left" ] || { chmod -R u+rwx "$left"; rm -rf "$left"; }; done'


@asynccontextmanager
async def scratch_directory() -> AsyncIterator[Path]:
    """Make an empty directory, and remove it at the end of the block."""
    directory = TemporaryDirectory(prefix=_prefix(os.getpid(), tempfile.gettempdir()), dir=tempfile.gettempdir())
    try:
        yield Path(directory.name)
    finally:
        await in_thread(directory.cleanup)


@cache
def _prefix(process: int, temporary: str) -> str:
    """Return the beginning of the names of this process's directories. What is left of them is removed at its end."""
    prefix = f"harbor-env-{process}-{uuid4().hex[:12]}-"
    Tidying(_TIDY_UP, os.path.join(temporary, prefix))
    return prefix


async def in_thread[T](work: Callable[..., T], *arguments: Any) -> T:
    """Run work in a thread and return its result. A cancelled caller waits until the thread has ended."""
    # By the event loop's executor, which a loop in virtual time can replace.
    return await finished(asyncio.get_running_loop().run_in_executor(None, partial(work, *arguments)))


async def finished[T](working: asyncio.Future[T]) -> T:
    """Return the result of a future. A cancelled caller waits for its end, too."""
    try:
        return await asyncio.shield(working)
    except asyncio.CancelledError:
        while not working.done():
            with suppress(asyncio.CancelledError):
                await asyncio.wait({working})
        working.cancelled() or working.exception()  # its result is not needed any more
        raise
