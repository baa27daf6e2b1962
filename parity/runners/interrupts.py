"""Remembers interrupts that a runner catches.

A runner may catch a signal's exception and continue, as in scenarios that end the program. The
interrupt is raised again after the answer. That answer is not judged, because the interrupt may have changed it.
"""

from typing import NoReturn

_pending: list[KeyboardInterrupt] = []


def interrupt(reason: str = "") -> NoReturn:
    """Interrupt the running code, and remember the interrupt for `raise_pending`.

    Raises:
        KeyboardInterrupt: always, with the reason.
    """
    _pending.append(KeyboardInterrupt(*filter(None, [reason])))
    raise _pending[-1]


def raise_pending() -> None:
    """Raise the last interrupt again, if there was one.

    Raises:
        KeyboardInterrupt: there was an interrupt.
    """
    if _pending:
        raise _pending[-1]


def forget_interrupts() -> None:
    """Forget all interrupts, because the interrupted run is over."""
    _pending.clear()
