"""Work in threads that is finished even if the caller is cancelled."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any


async def done_in_thread[T](work: Callable[..., T], *arguments: Any) -> T:
    """Run work in a thread and return its result. A cancelled caller waits until the thread no longer uses its
    files.
    """
    # By the event loop's executor, which a loop in virtual time can replace.
    working = asyncio.get_running_loop().run_in_executor(None, partial(work, *arguments))
    try:
        return await asyncio.shield(working)
    except asyncio.CancelledError:
        while not working.done():
            with suppress(asyncio.CancelledError):
                await asyncio.wait({working})
        working.cancelled() or working.exception()  # its result is not needed any more
        raise
