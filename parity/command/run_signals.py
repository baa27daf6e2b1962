"""Ending a job by a signal: the first one cancels it, another one ends the program at once."""

import asyncio
import os
import signal
from collections.abc import Callable, Coroutine
from typing import Any

from parity.command.exit_code import RunCode
from parity.command.streams import say

_CODES = {signal.SIGINT: RunCode.INTERRUPTED, signal.SIGTERM: RunCode.TERMINATED}


class Stopped(Exception):
    """A signal ended the job, which is as complete as it got."""

    def __init__(self, code: RunCode) -> None:
        super().__init__(code)
        self.code = code


async def until_signalled[Result](work: Coroutine[Any, Any, Result], before_the_end: Callable[[], None]) -> Result:
    """Do the work, unless a signal comes.

    Args:
        work: what to do.
        before_the_end: called before the program ends at once.

    Raises:
        Stopped: a signal came, and the work was cancelled.
    """
    loop = asyncio.get_running_loop()
    task = loop.create_task(work)  # It begins when it is waited for.
    came: list[RunCode] = []

    def hear(code: RunCode) -> None:
        came.append(code)
        if len(came) > 1:
            before_the_end()
            say("ended at once")
            # Sandboxes end with the process that started them.
            os._exit(code)
        say("stopping, which may take a moment; again to end at once")
        task.cancel()

    for number, code in _CODES.items():
        loop.add_signal_handler(number, hear, code)
    try:
        return await task
    except asyncio.CancelledError:
        if not came:
            raise
        raise Stopped(came[0]) from None
    finally:
        for number in _CODES:
            loop.remove_signal_handler(number)
