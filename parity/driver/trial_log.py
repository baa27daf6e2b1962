"""trial.log of each trial: the records of the driver's logger that the trial causes."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import TextIO

_CURRENT: ContextVar[TextIO | None] = ContextVar("trial_log", default=None)

_LONGEST_ENTRY = 2000
"""The most characters of an entry. It may quote the output of a command, and a task may have thousands of artifacts."""


class _ToCurrentTrial(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        file = _CURRENT.get()
        if file is not None:
            file.write(self.format(record)[:_LONGEST_ENTRY] + "\n")


@contextmanager
def trial_logs() -> Iterator[None]:
    """Send the driver's log records to the logs of trials, and nowhere else, inside the `with` block."""
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
    """Write the log records of this context, and of tasks that it starts, to this log of a trial."""
    with path.open("a", encoding="utf-8", errors="replace") as file:
        token = _CURRENT.set(file)
        try:
            yield
        finally:
            _CURRENT.reset(token)
