"""Ending a job by a signal: the first one cancels it, another one ends the program at once.

A thread takes them, because the event loop may be held up by what it waits for.
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

_LAST_MOMENT = 2
"""Seconds for a line that standard error may not take."""


class Stopped(Exception):
    """A signal ended the job, which is as complete as it got."""

    def __init__(self, code: RunCode) -> None:
        super().__init__(code)
        self.code = code


async def until_signalled[Result](work: Coroutine[Any, Any, Result], before_the_end: Callable[[], None]) -> Result:
    """Do the work, unless a signal comes.

    Args:
        work: what to do.
        before_the_end: called before the program ends at once, in another thread.

    Raises:
        Stopped: a signal came, and the work was cancelled.
    """
    loop = asyncio.get_running_loop()
    task = loop.create_task(work)  # It begins when it is waited for.
    came: list[RunCode] = []

    def on_signal(code: RunCode) -> None:
        came.append(code)
        if len(came) > 1:
            _speak(before_the_end, "ended at once")
            # Sandboxes end with the process that started them.
            os._exit(code)
        _speak(None, "stopping, which may take a moment; again to end at once")
        with suppress(RuntimeError):  # the loop has just ended
            loop.call_soon_threadsafe(task.cancel)

    with _listening(on_signal):
        try:
            return await task
        except asyncio.CancelledError:
            if not came:
                raise
            raise Stopped(came[0]) from None


def _speak(first: Callable[[], None] | None, line: str) -> None:
    """Write a line, if standard error takes it soon."""

    def speak() -> None:
        with suppress(Exception):  # whatever it is, it must not keep the program from its end
            if first is not None:
                first()
            say(line)

    speaking = threading.Thread(target=speak, daemon=True)
    speaking.start()
    speaking.join(_LAST_MOMENT)


@contextmanager
def _listening(on_signal: Callable[[RunCode], None]) -> Iterator[None]:
    """Pass signals on, from a thread that does nothing else."""
    reader, writer = os.pipe()
    os.set_blocking(writer, False)

    def listen() -> None:
        while numbers := os.read(reader, 1):
            if (code := _CODES.get(numbers[0])) is not None:
                on_signal(code)
        os.close(reader)

    # The kernel's signal writes its number there whatever Python is at; the handlers only keep it from doing more.
    written_to_before = signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    before = {number: signal.signal(number, lambda *_: None) for number in _CODES}
    threading.Thread(target=listen, name="signals", daemon=True).start()
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        signal.set_wakeup_fd(written_to_before)
        os.close(writer)
