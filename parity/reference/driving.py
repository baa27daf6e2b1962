"""Runs the wheel's own code: without an event loop where none is needed, and without its logs and its progress."""

from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from logging import CRITICAL
from typing import Any

from harbor.utils.logger import logger
from rich import get_console


def run[Result](coroutine: Coroutine[Any, Any, Result]) -> Result:
    """Drive a coroutine that never waits.

    Raises:
        RuntimeError: it waits for something after all.
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
    """Without what the wheel logs and shows."""
    console = get_console()
    was_quiet, level = console.quiet, logger.level
    console.quiet = True
    logger.setLevel(CRITICAL + 1)
    try:
        yield
    finally:
        console.quiet = was_quiet
        logger.setLevel(level)
