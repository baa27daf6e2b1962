"""Work in threads that leaves nothing behind where whoever waits for it is cancelled."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any


async def done_in_thread[T](work: Callable[..., T], *arguments: Any) -> T:
    """What the work gives; whoever cancels that waits until no thread uses the files any more."""
    # By the loop's own threads, which a loop in virtual time does without.
    working = asyncio.get_running_loop().run_in_executor(None, partial(work, *arguments))
    try:
        return await asyncio.shield(working)
    except asyncio.CancelledError:
        while not working.done():
            with suppress(asyncio.CancelledError):
                await asyncio.wait({working})
        working.cancelled() or working.exception()  # its result is not needed any more
        raise
