"""Functions that run the wheel's code: without an event loop if it needs none, and without its logs and progress."""

import warnings
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from logging import CRITICAL
from typing import Any
from unittest import mock

from harbor.utils.logger import logger
from rich import get_console
from rich.progress import Progress


def run[Result](coroutine: Coroutine[Any, Any, Result]) -> Result:
    """Drive a coroutine that never waits.

    Raises:
        RuntimeError: the coroutine waits for something.
    """
    try:
        coroutine.send(None)
    except StopIteration as stop:
        result: Result = stop.value
        return result
    coroutine.close()
    raise RuntimeError("the wheel waited for something")


@contextmanager
def quietly() -> Iterator[None]:
    """Suppress the wheel's logs, its output, and its warnings, which a filter might turn into errors.

    The level of its logger is not changed, because that clears the caches of hundreds of loggers, which takes as long
    as a case. The progress bar is replaced, because even a quiet console would compute it. So no MarkupError occurs,
    although rich raises one for a reward key such as `[/a]`, which ends a real job.
    """
    if logger.level <= CRITICAL:
        logger.setLevel(CRITICAL + 1)
    console = get_console()
    was_quiet = console.quiet
    console.quiet = True
    try:
        with (
            # Changes no answer: the bar shows results of trials, and nothing reads it.
            mock.patch.multiple(Progress, start=_show_nothing, stop=_show_nothing),
            warnings.catch_warnings(action="ignore"),
        ):
            yield
    finally:
        console.quiet = was_quiet
        _forget_loggers()


def _forget_loggers() -> None:
    """Remove the loggers below the wheel's own: each trial adds eight, and pytest visits all loggers six times a test.

    Their files are closed, because those of interrupted trials are still open.
    """
    loggers = logger.manager.loggerDict
    for name in [name for name in loggers if name.startswith(f"{logger.name}.")]:
        for handler in getattr(loggers.pop(name), "handlers", []):
            handler.close()


def _show_nothing(progress: Progress) -> None:
    pass
