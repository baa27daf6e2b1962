"""The trial.log of each trial: the log records that the driver's logger emits while it runs this trial."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import TextIO

_CURRENT: ContextVar[TextIO | None] = ContextVar("trial_log", default=None)

_LONGEST_ENTRY = 2000
"""The largest length of an entry, in characters. An entry may quote a command's output, and there may be thousands."""


class _ToCurrentTrial(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        file = _CURRENT.get()
        if file is not None:
            file.write(self.format(record)[:_LONGEST_ENTRY] + "\n")


@contextmanager
def trial_logs() -> Iterator[None]:
    """In the `with` block, write the driver's log records to the trials' logs and nowhere else."""
    logger, handler = logging.getLogger("parity.driver"), _ToCurrentTrial()
    before = logger.level, logger.propagate
    logger.addHandler(handler)
    logger.propagate = False
    logger.setLevel(logging.DEBUG)
    try:
        yield
    finally:
        logger.setLevel(before[0])
        logger.propagate = before[1]
        logger.removeHandler(handler)


@contextmanager
def trial_log(path: Path) -> Iterator[None]:
    """In the `with` block, write log records from this context, and from tasks started in it, to a trial's log."""
    with path.open("a", encoding="utf-8", errors="replace") as file:
        token = _CURRENT.set(file)
        try:
            yield
        finally:
            _CURRENT.reset(token)
