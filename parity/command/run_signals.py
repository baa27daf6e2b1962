"""Ends a job when signals arrive: the first signal cancels the job, the second one ends the program at once."""

import asyncio
import os
import signal
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager, suppress
from threading import Thread
from typing import Any

from parity.command.exit_code import RunCode
from parity.command.streams import say

_CODES: dict[int, RunCode] = {signal.SIGINT: RunCode.INTERRUPTED, signal.SIGTERM: RunCode.TERMINATED}

_MESSAGE_SECONDS = 2
"""Seconds to wait until a line is written to standard error, which may be blocked."""


class Stopped(Exception):
    """A signal ended the job; the results of finished trials are written."""

    def __init__(self, code: RunCode) -> None:
        super().__init__(code)
        self.code = code


async def until_signalled[Result](work: Coroutine[Any, Any, Result], before_exit: Callable[[], None]) -> Result:
    """Run a coroutine until it ends or a signal arrives, and return its result.

    Args:
        work: the coroutine.
        before_exit: called in another thread before the second signal ends the program.

    Raises:
        Stopped: a signal arrived, and the coroutine was cancelled.
    """
    loop = asyncio.get_running_loop()
    task = loop.create_task(work)  # it starts at the first await
    received: list[RunCode] = []

    def on_signal(number: int, frame: object) -> None:
        received.append(_CODES[number])
        if len(received) > 1:
            for each in _CODES:
                signal.signal(each, signal.SIG_IGN)
            _say_briefly("ended at once", before_exit)
            # Sandboxes end with the process that started them.
            os._exit(_CODES[number])
        loop.call_soon_threadsafe(task.cancel)
        _say_briefly("stopping; to end at once, press Ctrl-C again")

    with _handling(on_signal):
        try:
            return await task
        except asyncio.CancelledError:
            if not received:
                raise
            raise Stopped(received[0]) from None


def _say_briefly(line: str, before: Callable[[], None] = lambda: None) -> None:
    """Call a function and write a line, but wait only a short time for both."""

    def call_and_say() -> None:
        with suppress(Exception):  # no error may keep the program from ending
            before()
            say(line)

    thread = Thread(target=call_and_say, daemon=True)
    thread.start()
    thread.join(_MESSAGE_SECONDS)


@contextmanager
def _handling(on_signal: Callable[[int, object], None]) -> Iterator[None]:
    """Handle the signals inside the `with` block, even while Python code blocks the event loop."""
    handlers = {number: signal.signal(number, on_signal) for number in _CODES}
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
