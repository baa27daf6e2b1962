"""An event loop whose clock jumps to the next timer as soon as nothing is left to do.

Timeouts, intervals and retries that take minutes pass at once and always alike, so that two drivers can be compared by
when they do what. Threads are replaced by calls, because a thread would take real time.
"""

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import Executor
from typing import Any


class VirtualLoop(asyncio.BaseEventLoop):
    """The loop. Its time begins at 0 and is in seconds. It has neither files nor sockets to wait for."""

    def __init__(self) -> None:
        self._now = 0.0
        self._tasks: list[asyncio.Task[Any]] = []
        super().__init__()
        self._selector: VirtualLoop | None = self
        self._clock_resolution = 1e-9
        # A program that is ended leaves tasks whose errors are never retrieved; that is not to be reported.
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
        """Call the function before this returns; whoever waits for it goes on in a later turn, as after a thread."""
        future = self.create_future()
        try:
            self.call_soon(_finish, future, future.set_result, func(*args))
        except BaseException as error:
            self.call_soon(_finish, future, future.set_exception, error)
        return future

    def select(self, timeout: float | None) -> tuple[()]:
        """Let the clock jump where all that is left are timers; the base class takes what it would wait for from here.

        Raises:
            RuntimeError: nothing is left at all.
        """
        if timeout is None:
            raise RuntimeError("everything waits for something that never comes")
        if timeout > 0:
            self._now = max(self._now, self._scheduled[0].when())  # type: ignore[attr-defined]
        return ()

    def _process_events(self, events: tuple[()]) -> None:
        pass

    def _write_to_self(self) -> None:
        pass

    def end(self) -> None:
        """Cancel the tasks that are left, wait for their ends, and close the loop."""
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


def _finish(future: asyncio.Future[Any], end: Callable[[Any], None], result: Any) -> None:
    if not future.cancelled():
        end(result)


def run_virtually[Result](coroutine: Coroutine[Any, Any, Result]) -> Result:
    """Run a coroutine as `asyncio.run` does, in virtual time."""
    loop = VirtualLoop()
    try:
        return loop.run_until_complete(loop.create_task(coroutine))  # type: ignore[no-any-return]
    finally:
        loop.end()
