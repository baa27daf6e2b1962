"""One event loop for all the cases of a runner: making one for each would cost more than the cases."""

import asyncio
import weakref
from collections.abc import Coroutine
from typing import Any


class EventLoop:
    """Runs one coroutine after another, in this thread."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        weakref.finalize(self, self._loop.close)

    def run[Result](self, coroutine: Coroutine[Any, Any, Result]) -> Result:
        """What the coroutine returns, or what it raises."""
        task = self._loop.create_task(coroutine)
        try:
            return self._loop.run_until_complete(task)
        except BaseException:
            if not task.done():  # an alarm has rung while the loop was waiting
                task.cancel()
                self._loop.run_until_complete(asyncio.wait([task]))
            raise
