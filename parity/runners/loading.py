"""Loads the runner that `--runner package.module:name` names, and checks that its methods can be called.

So a slip in a name or signature is not judged as wrong scoring. Methods whose signature says nothing (`__getattr__`,
`functools.partial`, `*args`) are accepted.
"""

import importlib
import inspect
import sys
from collections.abc import Iterator
from difflib import SequenceMatcher
from functools import partial
from pathlib import Path
from types import CodeType
from typing import Any

from parity.operations import OPERATIONS
from parity.runners.clean_room import CleanRoom
from parity.runners.own_frames import place_of
from parity.runners.runner import Runner, claims


class RunnerError(Exception):
    """The named runner cannot be used; one line for each reason."""


def load_runner(spec: str, option: str = "--runner") -> Runner:
    """Load the runner that `spec` names: `clean-room`, or `module:name` of a runner, or of a class or function for one.

    Modules in the current folder can be named too.

    Args:
        spec: the user's text.
        option: the option that takes it; messages begin with it.

    Raises:
        RunnerError: the module or name is missing or raises, or is not a runner, or its methods cannot be called.
    """
    if spec == CleanRoom.name:
        return CleanRoom()
    module_name, colon, attribute = spec.partition(":")
    if not (module_name and colon and attribute):
        raise RunnerError(f"{option} takes {CleanRoom.name} or package.module:name, not {spec!r}")
    if (here := str(Path.cwd())) not in sys.path:
        sys.path.insert(0, here)
    try:
        found: object = importlib.import_module(module_name)
        for name in attribute.split("."):
            found = getattr(found, name)
        runner = found() if inspect.isclass(found) or inspect.isroutine(found) else found
        named = isinstance(getattr(runner, "name", None), str)
        able = any(claims(runner, operation) for operation in OPERATIONS)
        unusable = list(unusable_methods(runner))
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # the module may raise anything, SystemExit included
        message = " ".join(str(error).split())
        raise RunnerError(f"{option} {spec}: {type(error).__name__}: {message}{place_of(error)}") from error
    if not named:
        raise RunnerError(f"{option} {spec}: a runner has a name, and {type(runner).__name__} has none; give it one")
    if unusable:
        raise RunnerError("\n".join(f"{option} {spec}: {what}" for what in unusable))
    if not able:
        raise RunnerError(f"{option} {spec}: it has none of the methods {', '.join(OPERATIONS)}")
    return runner  # type: ignore[return-value]


_NEARLY = 0.9
"""Similarity above which a name counts as a typo; that of `outcom` and `outcome` is 0.92."""


def unusable_methods(runner: object) -> Iterator[str]:
    """Yield one line for each mistake in a runner's methods: the mistake and the remedy.

    Raises:
        Exception: any error that the runner raises when its attributes are read.
    """
    for operation in OPERATIONS:
        method = getattr(runner, operation, None)
        if callable(method):
            yield from _unusable(operation, method)
    for name in _own_names(runner):
        if meant := _meant(name, runner):
            at = _at(getattr(runner, name))
            yield f"it has {name}{at}, but the operation is {meant}; rename it, or begin its name with _"


def _unusable(operation: str, method: Any) -> Iterator[str]:
    function, at = _function(method), _at(method)
    if inspect.iscoroutinefunction(function):
        yield f"{operation} is async def{at}, but it is not awaited; make it a plain def that runs it: asyncio.run(…)"
    if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
        yield f"{operation} is a generator{at}, because it has a yield; make it return its answer"
    names = list(inspect.signature(getattr(Runner, operation)).parameters)[1:]
    try:
        signature = inspect.signature(method)
    except (TypeError, ValueError):  # methods of extensions may have no signature
        return
    try:
        signature.bind(*names)
    except TypeError as error:
        is_bound = inspect.ismethod(method)
        written = inspect.signature(method.__func__) if is_bound else signature
        wanted = ", ".join(["self", *names] if is_bound else names)
        yield f"{operation}{written}{at} cannot be called: {error}; make it {operation}({wanted})"


def _function(method: Any) -> Any:
    """Return the function behind a method that may be a partial, decorated, or an object with `__call__`."""
    while isinstance(method, partial):
        method = method.func
    return inspect.unwrap(method if inspect.isroutine(method) else type(method).__call__)


def _at(method: Any) -> str:
    """Return ` at FILE:LINE` for a method's definition; empty if the method is not defined in Python."""
    code = getattr(_function(method), "__code__", None)
    return f" at {code.co_filename}:{code.co_firstlineno}" if isinstance(code, CodeType) else ""


def _own_names(runner: object) -> Iterator[str]:
    """Yield the names of a runner's public methods that are not operations."""
    for name in dir(runner):
        if not name.startswith("_") and name not in OPERATIONS and callable(inspect.getattr_static(runner, name, None)):
            yield name


def _meant(name: str, runner: object) -> str | None:
    """Return the operation that a method is probably meant for, if the runner has no method for that operation."""
    for operation in OPERATIONS:
        inherited = getattr(type(runner), operation, None) is getattr(CleanRoom, operation)
        if not inherited and callable(getattr(runner, operation, None)):
            continue
        if SequenceMatcher(None, _letters(name), _letters(operation)).ratio() >= _NEARLY:
            return operation
    return None


def _letters(name: str) -> str:
    return name.replace("_", "").casefold()
