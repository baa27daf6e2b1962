"""An event loop in virtual time, whose clock jumps to the next timer as soon as nothing else is left to do.

Timeouts and waits of minutes pass at once, and always in the same way, so that the times of two drivers' calls can be
compared. A function for a thread is called at once, so that it takes no virtual time, and can be interrupted.
"""

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import Executor
from typing import Any


class VirtualLoop(asyncio.BaseEventLoop):
    """An event loop whose time is virtual and starts at 0 seconds. The loop does not wait for files or sockets."""

    def __init__(self) -> None:
        self._now = 0.0
        self._tasks: list[asyncio.Task[Any]] = []
        super().__init__()
        self._selector: VirtualLoop | None = self
        self._clock_resolution = 1e-9
        # If the program ends early, the errors of some tasks are never retrieved. asyncio must not report these errors.
        self.set_exception_handler(lambda loop, context: None)

    def time(self) -> float:
        return self._now

    def create_task(self, *arguments: Any, **options: Any) -> asyncio.Task[Any]:
        task = super().create_task(*arguments, **options)
        self._tasks.append(task)
        return task

    def run_in_executor[*Arguments, Result](
        self, executor: Executor | None, func: Callable[[*Arguments], Result], *args: *Arguments
    ) -> asyncio.Future[Result]:
        """Call the function, and return a future that is done."""
        future = self.create_future()
        try:
            future.set_result(func(*args))
        except Exception as error:
            future.set_exception(error)
        return future

    def select(self, timeout: float | None) -> tuple[()]:
        """Move the clock to the next timer if only timers are left. The base class calls this in place of a selector.

        Raises:
            RuntimeError: nothing is left to do, not even a timer.
        """
        if timeout is None:
            raise RuntimeError("all tasks wait, and no timer is left")
        if timeout > 0:
            self._now = max(self._now, self._scheduled[0].when())  # type: ignore[attr-defined]
        return ()

    def _process_events(self, events: tuple[()]) -> None:
        pass

    def _write_to_self(self) -> None:
        pass

    def end(self) -> None:
        """Cancel the remaining tasks, wait until they end, and close the loop."""
        left = [task for task in self._tasks if not task.done()]
        for task in left:
            task.cancel()
        try:
            if left:
                self.run_until_complete(asyncio.gather(*left, return_exceptions=True))
            self.run_until_complete(self.shutdown_asyncgens())
        finally:
            self.close()
            self._selector = None
            self._tasks.clear()


def run_virtually[Result](coroutine: Coroutine[Any, Any, Result]) -> Result:
    """Run a coroutine in virtual time, but otherwise like `asyncio.run`."""
    loop = VirtualLoop()
    try:
        return loop.run_until_complete(loop.create_task(coroutine))  # type: ignore[no-any-return]
    finally:
        loop.end()
