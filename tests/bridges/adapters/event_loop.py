"""One event loop for all cases, because making an event loop takes longer than running a case."""

import asyncio
import atexit
from collections.abc import Coroutine
from functools import cache
from typing import Any


def run[Result](coroutine: Coroutine[Any, Any, Result]) -> Result:
    """Run a coroutine in this thread, and return its result.

    Raises:
        BaseException: anything that the coroutine raises.
    """
    loop = _event_loop()
    task = loop.create_task(coroutine)
    try:
        return loop.run_until_complete(task)
    except BaseException:
        if not task.done():  # the alarm of a time limit came while the loop was waiting
            task.cancel()
            loop.run_until_complete(asyncio.wait([task]))
        raise


@cache
def _event_loop() -> asyncio.AbstractEventLoop:
    loop = asyncio.new_event_loop()
    atexit.register(loop.close)
    return loop
