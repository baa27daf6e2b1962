"""Waits for the other end of a pipe; polls first, and sleeps only after a moment.

Kit and program usually take turns, so one of them is waiting. Most answers come faster than an idle processor wakes up.
So the first moment is spent polling, and yielding the processor to other processes.
"""

import os
import select
from time import monotonic

_MOMENT = 0.0005
_give_way = getattr(os, "sched_yield", lambda: None)


def wait(poll: select.poll, seconds: float | None) -> list[tuple[int, int]]:
    """Wait for events, and return them like `poll.poll`; an empty list when the time is over.

    Args:
        poll: the poll object to wait for.
        seconds: the time limit, or None for no limit.
    """
    begun = monotonic()
    while not (ready := poll.poll(0)) and monotonic() - begun < _MOMENT:
        _give_way()
    if ready or (seconds is not None and seconds <= 0):
        return ready
    return poll.poll(None if seconds is None else seconds * 1000)
