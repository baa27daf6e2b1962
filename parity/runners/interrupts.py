"""Interrupts that are not lost: whoever is asked may catch what a signal raises, and go on.

Scenarios in which the program is ended do so, and so may runners. An interrupt is raised again after their answer,
which is not judged, because it may be another one for that.
"""

from typing import NoReturn

_pending: list[KeyboardInterrupt] = []


def interrupt(reason: str = "") -> NoReturn:
    """Interrupt what runs, and whatever is asked after it.

    Raises:
        KeyboardInterrupt: always, with the reason.
    """
    _pending.append(KeyboardInterrupt(*filter(None, [reason])))
    raise _pending[-1]


def raise_pending() -> None:
    """Raise again what was caught.

    Raises:
        KeyboardInterrupt: there was an interrupt.
    """
    if _pending:
        raise _pending[-1]


def forget_interrupts() -> None:
    """The run that they have ended is over."""
    _pending.clear()
