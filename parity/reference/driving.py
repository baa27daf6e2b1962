"""Runs the wheel's coroutines without an event loop, which would cost more than most answers."""

from collections.abc import Coroutine
from typing import Any


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
