"""Whether a runner's methods can be asked at all, so that a slip of the pen is not judged as a scoring fault.

What is made as it is called (`__getattr__`, `functools.partial`, `*args`) is taken as it is.
"""

import inspect
from collections.abc import Iterator
from difflib import SequenceMatcher
from functools import partial
from types import CodeType
from typing import Any

from parity.operations import OPERATIONS
from parity.runners.clean_room import CleanRoom
from parity.runners.runner import Runner

_NEARLY = 0.9
"""How alike two names are of which one is taken for the other; `outcom` and `outcome` are by 0.92."""


def unusable_methods(runner: object) -> Iterator[str]:
    """What is wrong with a runner's methods, a line each: what, and what to do.

    Raises:
        Exception: whatever the runner raises where its attributes are read.
    """
    for operation in OPERATIONS:
        method = getattr(runner, operation, None)
        if callable(method):
            yield from _unusable(operation, method)
    for name in _own_names(runner):
        if meant := _meant(name, runner):
            at = _at(getattr(runner, name))
            yield f"it has {name}{at}, but what is asked is {meant}; rename it, or begin its name with _"


def _unusable(operation: str, method: Any) -> Iterator[str]:
    function, at = _function(method), _at(method)
    if inspect.iscoroutinefunction(function):
        yield f"{operation} is async def{at}, but it is not awaited; make it a plain def that runs it: asyncio.run(…)"
    if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
        yield f"{operation} is a generator{at}, because it has a yield; make it return its answer"
    names = list(inspect.signature(getattr(Runner, operation)).parameters)[1:]
    try:
        signature = inspect.signature(method)
    except (TypeError, ValueError):  # of an extension, that does not say
        return
    try:
        signature.bind(*names)
    except TypeError as error:
        is_bound = inspect.ismethod(method)
        written = inspect.signature(method.__func__) if is_bound else signature
        wanted = ", ".join(["self", *names] if is_bound else names)
        yield f"{operation}{written}{at} cannot be asked: {error}; make it {operation}({wanted})"


def _function(method: Any) -> Any:
    """What runs when a method is called: behind a partial, a decorator, or an object that can be called."""
    while isinstance(method, partial):
        method = method.func
    return inspect.unwrap(method if inspect.isroutine(method) else type(method).__call__)


def _at(method: Any) -> str:
    """Where a method is written."""
    code = getattr(_function(method), "__code__", None)
    return f" at {code.co_filename}:{code.co_firstlineno}" if isinstance(code, CodeType) else ""


def _own_names(runner: object) -> Iterator[str]:
    """The public methods that a runner has and the built-in one has not."""
    for name in dir(runner):
        if not name.startswith("_") and name not in OPERATIONS and callable(inspect.getattr_static(runner, name, None)):
            yield name


def _meant(name: str, runner: object) -> str | None:
    """The operation that a method is probably meant for, where the runner has none of its own for it."""
    for operation in OPERATIONS:
        inherited = getattr(type(runner), operation, None) is getattr(CleanRoom, operation)
        if not inherited and callable(getattr(runner, operation, None)):
            continue
        if SequenceMatcher(None, _letters(name), _letters(operation)).ratio() >= _NEARLY:
            return operation
    return None


def _letters(name: str) -> str:
    return name.replace("_", "").casefold()
