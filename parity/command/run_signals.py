"""Ends a job by signals: the first one cancels the job, the second one ends the program at once.

A thread handles the signals, because the event loop may be blocked.
"""

import asyncio
import os
import signal
import threading
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from parity.command.exit_code import RunCode
from parity.command.streams import say

_CODES: dict[int, RunCode] = {signal.SIGINT: RunCode.INTERRUPTED, signal.SIGTERM: RunCode.TERMINATED}

_MESSAGE_SECONDS = 2
"""Seconds to wait for a line on standard error, which may be blocked."""


class Stopped(Exception):
    """A signal ended the job; the results of finished trials are written."""

    def __init__(self, code: RunCode) -> None:
        super().__init__(code)
        self.code = code


async def until_signalled[Result](work: Coroutine[Any, Any, Result], before_exit: Callable[[], None]) -> Result:
    """Run the coroutine until it ends or a signal comes, and return its result.

    Args:
        work: the coroutine.
        before_exit: called in another thread before the second signal ends the program.

    Raises:
        Stopped: a signal came, and the work was cancelled.
    """
    loop = asyncio.get_running_loop()
    task = loop.create_task(work)  # it starts at the first await
    received: list[RunCode] = []

    def on_signal(code: RunCode) -> None:
        received.append(code)
        if len(received) > 1:
            _say_briefly(before_exit, "ended at once")
            # Sandboxes end with the process that started them.
            os._exit(code)
        _say_briefly(None, "stopping; to end at once, press Ctrl-C again")
        with suppress(RuntimeError):  # the loop has just ended
            loop.call_soon_threadsafe(task.cancel)

    with _listening(on_signal):
        try:
            return await task
        except asyncio.CancelledError:
            if not received:
                raise
            raise Stopped(received[0]) from None


def _say_briefly(first: Callable[[], None] | None, line: str) -> None:
    """Call a function and write a line, but wait only a short time for both."""

    def call_and_say() -> None:
        with suppress(Exception):  # no error may keep the program from ending
            if first is not None:
                first()
            say(line)

    thread = threading.Thread(target=call_and_say, daemon=True)
    thread.start()
    thread.join(_MESSAGE_SECONDS)


@contextmanager
def _listening(on_signal: Callable[[RunCode], None]) -> Iterator[None]:
    """Handle signals in a thread inside the `with` block."""
    reader, writer = os.pipe()
    os.set_blocking(writer, False)

    def listen() -> None:
        while numbers := os.read(reader, 1):
            if (code := _CODES.get(numbers[0])) is not None:
                on_signal(code)
        os.close(reader)

    # Python's C handler writes each signal's number to the pipe at once; the Python handlers only replace the defaults.
    previous_descriptor = signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    handlers = {number: signal.signal(number, lambda *_: None) for number in _CODES}
    threading.Thread(target=listen, name="signals", daemon=True).start()
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
        signal.set_wakeup_fd(previous_descriptor)
        os.close(writer)
