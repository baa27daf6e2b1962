"""Waits for the other end of a pipe: polls for half a millisecond, and then sleeps.

Kit and program take turns, so one of them is waiting. Most answers come faster than an idle processor wakes up.
"""

import os
import select
from time import monotonic

_POLLING_SECONDS = 0.0005
_yield_processor = getattr(os, "sched_yield", lambda: None)


def wait(poll: select.poll, seconds: float | None) -> list[tuple[int, int]]:
    """Wait for events, and return them like `poll.poll`; an empty list when the time is over.

    Args:
        poll: the poll object to wait for.
        seconds: the time limit, or None for no limit.
    """
    started = monotonic()
    while not (ready := poll.poll(0)) and monotonic() - started < _POLLING_SECONDS:
        _yield_processor()
    if ready or (seconds is not None and seconds <= 0):
        return ready
    return poll.poll(None if seconds is None else seconds * 1000)
