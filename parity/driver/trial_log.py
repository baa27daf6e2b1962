"""trial.log: what the driver's modules log while a trial runs goes to that trial's file."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import TextIO

_CURRENT: ContextVar[TextIO | None] = ContextVar("trial_log", default=None)


class _ToCurrentTrial(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        file = _CURRENT.get()
        if file is not None:
            file.write(self.format(record) + "\n")


_LOG = logging.getLogger("parity.driver")
_LOG.setLevel(logging.DEBUG)
_LOG.propagate = False
_LOG.addHandler(_ToCurrentTrial())


@contextmanager
def trial_log(path: Path) -> Iterator[logging.Logger]:
    """Let what is logged in this context, and in tasks that it starts, go to the file."""
    with path.open("a", encoding="utf-8", errors="replace") as file:
        token = _CURRENT.set(file)
        try:
            yield _LOG
        finally:
            _CURRENT.reset(token)
