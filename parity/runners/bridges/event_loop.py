"""One event loop for all cases of a runner, because making one for each case would cost more than the case."""

import asyncio
import weakref
from collections.abc import Coroutine
from typing import Any


class EventLoop:
    """An event loop that runs one coroutine after another, in this thread."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        weakref.finalize(self, self._loop.close)

    def run[Result](self, coroutine: Coroutine[Any, Any, Result]) -> Result:
        """Run a coroutine and return its result.

        Raises:
            BaseException: anything that the coroutine raises.
        """
        task = self._loop.create_task(coroutine)
        try:
            return self._loop.run_until_complete(task)
        except BaseException:
            if not task.done():  # the alarm of a time limit came while the loop was waiting
                task.cancel()
                self._loop.run_until_complete(asyncio.wait([task]))
            raise
