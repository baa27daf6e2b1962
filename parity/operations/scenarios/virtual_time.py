"""An event loop whose clock jumps to the next timer as soon as nothing is left to do.

Timeouts, intervals and retries that take minutes pass at once and always alike, so that two drivers can be compared by
when they do what. Threads are replaced by calls, because a thread would take real time.
"""

import asyncio
import selectors
from collections.abc import Callable, Coroutine
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any


class _AtOnce(ThreadPoolExecutor):
    """Runs what it is given before it returns."""

    def submit[Result](self, function: Callable[..., Result], /, *args: Any, **kwargs: Any) -> "Future[Result]":
        future: Future[Result] = Future()
        try:
            future.set_result(function(*args, **kwargs))
        except BaseException as error:
            future.set_exception(error)
        return future


class _Jumping(selectors.DefaultSelector):
    """Never waits: where nothing is ready it lets the clock jump instead."""

    jump: Callable[[], None]

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        ready: list[tuple[selectors.SelectorKey, int]] = super().select(0)
        if not ready and (timeout is None or timeout > 0):
            self.jump()
        return ready


class VirtualLoop(asyncio.SelectorEventLoop):
    """The loop. Its time begins at 0 and is in seconds."""

    def __init__(self) -> None:
        self._now = 0.0
        selector = _Jumping()
        selector.jump = self._jump
        super().__init__(selector)
        self._clock_resolution = 1e-9
        self.set_default_executor(_AtOnce(1))
        # A program that is ended leaves tasks whose errors are never retrieved; that is not to be reported.
        self.set_exception_handler(lambda loop, context: None)

    def time(self) -> float:
        return self._now

    async def shutdown_default_executor(self, timeout: float | None = None) -> None:
        """Nothing is left to wait for; the base class would wait for a thread, in real time."""

    def _jump(self) -> None:
        timers = self._scheduled  # type: ignore[attr-defined]
        if not timers:
            raise RuntimeError("everything waits for something that never comes")
        self._now = max(self._now, timers[0].when())


def run_virtually[Result](coroutine: Coroutine[Any, Any, Result]) -> Result:
    """Run a coroutine as `asyncio.run` does, in virtual time."""
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(coroutine)
