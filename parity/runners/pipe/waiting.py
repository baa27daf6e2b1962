"""Waits for the other end of a pipe, which answers in a fraction of the time that it takes to be woken up.

Kit and program mostly take turns, so one of them is waiting. To sleep at once would cost more than most questions do,
because an idle processor wakes up slowly; so the first moment is spent looking, and giving way to whoever wants to run.
"""

import os
import select
from time import monotonic

_MOMENT = 0.0005
_give_way = getattr(os, "sched_yield", lambda: None)


def wait(poll: select.poll, seconds: float | None) -> list[tuple[int, int]]:
    """What is ready, as `poll.poll` gives it; nothing, when the time is over.

    Args:
        poll: what to wait for.
        seconds: how long, or None for as long as it takes.
    """
    begun = monotonic()
    while not (ready := poll.poll(0)) and monotonic() - begun < _MOMENT:
        _give_way()
    if ready or (seconds is not None and seconds <= 0):
        return ready
    return poll.poll(None if seconds is None else seconds * 1000)
