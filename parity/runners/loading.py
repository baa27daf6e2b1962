"""Loads the runner for `--runner package.module:name`, and checks that its methods can be called.

Because of the check, a typo in a name or signature is not judged as wrong scoring. Methods whose parameters are unknown
(`__getattr__`, `functools.partial`, `*args`) are accepted.
"""

import importlib
import inspect
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import partial
from pathlib import Path
from threading import Timer
from types import CodeType
from typing import Any

from parity.operations import OPERATIONS
from parity.runners.asking import Clock, Hung
from parity.runners.clean_room import CleanRoom
from parity.runners.own_frames import place_of
from parity.runners.runner import Runner, claims


class RunnerError(Exception):
    """The runner cannot be used. The message has one line for each reason."""


@dataclass(frozen=True)
class LoadingLimit:
    """A time limit for loading a runner. Like the limit for a case, it needs SIGALRM and the main thread."""

    seconds: float
    say: Callable[[str], None]
    """A function that shows a line to the user if loading takes long."""

    patience: float = 2.0
    """The time after which the line is shown, in seconds."""

    @contextmanager
    def limited(self, name: str) -> Iterator[None]:
        """Limit the time of the `with` block."""
        clock = Clock(self.seconds)
        notice = Timer(self.patience, self.say, [f"loading {name} …"])
        notice.daemon = True
        notice.start()
        try:
            with clock.installed():
                clock.start()
                try:
                    yield
                finally:
                    clock.stop()
        finally:
            notice.cancel()


def load_runner(spec: str, option: str = "--runner", limit: LoadingLimit | None = None) -> Runner:
    """Load a runner by its name.

    Args:
        spec: `clean-room`, or `module:name`, where `name` is a runner, or a class or function that returns one. Modules
            in the current directory are found, too.
        option: the option whose value is `spec`; error messages begin with it.
        limit: the time limit; None for no limit.

    Raises:
        RunnerError: the module or the name is missing, raises an exception, takes too long, or is not a runner; or its
            methods cannot be called.
    """
    if spec == CleanRoom.name:
        return CleanRoom()
    module_name, colon, attribute = spec.partition(":")
    if not (module_name and colon and attribute):
        raise RunnerError(f"{option} takes {CleanRoom.name} or package.module:name, not {spec!r}{_module_hint(spec)}")
    if _module_hint(spec):
        raise RunnerError(f"{option} takes a module, not the path of a file, such as {spec!r}{_module_hint(spec)}")
    if (here := str(Path.cwd())) not in sys.path:
        sys.path.insert(0, here)

    def load() -> object:
        loaded: object = importlib.import_module(module_name)
        for name in attribute.split("."):
            loaded = getattr(loaded, name)
        return loaded

    return checked_runner(load, f"{option} {spec}", limit)


def checked_runner(load: Callable[[], object], name: str, limit: LoadingLimit | None = None) -> Runner:
    """Return the runner that a loaded object is, or that a loaded class or function returns.

    Args:
        load: returns the object, the class or the function.
        name: what messages call it.
        limit: the time limit; None for no limit.

    Raises:
        RunnerError: loading raises an exception or takes too long, or what is loaded is not a runner; or its methods
            cannot be called.
    """
    try:
        with limit.limited(name) if limit else nullcontext():
            loaded = load()
            runner = loaded() if inspect.isclass(loaded) or inspect.isroutine(loaded) else loaded
            has_name = isinstance(getattr(runner, "name", None), str)
            claims_any = any(claims(runner, operation) for operation in OPERATIONS)
            unusable = list(unusable_methods(runner))
    except KeyboardInterrupt:
        raise
    except Hung:
        assert limit is not None
        raise RunnerError(
            f"{name}: it was not loaded within {limit.seconds:g} s; load less, or give it more --case-timeout"
        ) from None
    except BaseException as error:  # the module may raise anything, SystemExit included
        message = " ".join(str(error).split())
        raise RunnerError(f"{name}: {type(error).__name__}: {message}{place_of(error)}") from error
    if not has_name:
        raise RunnerError(f"{name}: a runner needs a name, but {type(runner).__name__} has none; give it one")
    if unusable:
        raise RunnerError("\n".join(f"{name}: {what}" for what in unusable))
    if not claims_any:
        raise RunnerError(f"{name}: it has none of the methods {', '.join(OPERATIONS)}")
    return runner  # type: ignore[return-value]


def _module_hint(spec: str) -> str:
    """Return the module name to write instead of a Python file's path; empty if `spec` does not begin with a path.

    The name is the shortest one by which the file can be imported, so a project's `pythonpath` counts.
    """
    path, _, attribute = spec.partition(":")
    if not path.endswith(".py"):
        return ""
    module = Path(os.path.abspath(path)).with_suffix("")
    places = [Path(os.path.abspath(place)) for place in ("", *sys.path)]
    names = [module.relative_to(place) for place in places if module.is_relative_to(place)]
    name = ".".join(min(names, key=lambda name: len(name.parts), default=Path(module.name)).parts)
    where = "" if names else f", and add {module.parent} to PYTHONPATH"
    return f"; write {name}:{attribute or 'Name'}{'' if attribute else ', with the name of its class'}{where}"


_NEARLY = 0.9
"""Similarity from which a name counts as a typo of another. The similarity of `outcom` and `outcome` is 0.92."""


def unusable_methods(runner: object) -> Iterator[str]:
    """Yield one line for each mistake in a runner's methods: the mistake and the remedy.

    Raises:
        Exception: any exception that the runner raises when its attributes are read.
    """
    for operation in OPERATIONS:
        method = getattr(runner, operation, None)
        if callable(method):
            yield from _mistakes_in(operation, method)
    for name in _own_names(runner):
        if meant := _misspelled_operation(name, runner):
            at = _at(getattr(runner, name))
            yield f"it has {name}{at}, but the operation is {meant}; rename it, or begin its name with _"


def _mistakes_in(operation: str, method: Any) -> Iterator[str]:
    function, at = _function(method), _at(method)
    if inspect.iscoroutinefunction(function):
        yield f"{operation} is async def{at}, but it is not awaited; make it a plain def that runs it: asyncio.run(…)"
    if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
        yield f"{operation} is a generator{at}, because it has a yield; make it return its answer"
    names = list(inspect.signature(getattr(Runner, operation)).parameters)[1:]
    try:
        signature = inspect.signature(method)
    except (TypeError, ValueError):  # methods in C extensions may have no signature
        return
    problem = ""
    try:
        signature.bind(*names)
    except TypeError as error:
        problem = f"cannot be called: {error}"
    parameters = list(signature.parameters)[: len(names)]
    if parameters != names and sorted(parameters) == sorted(names):
        problem = "has its parameters in the wrong order"
    if problem:
        is_bound = inspect.ismethod(method)
        written = inspect.signature(method.__func__) if is_bound else signature
        expected = ", ".join(["self", *names] if is_bound else names)
        yield f"{operation}{written}{at} {problem}; make it {operation}({expected})"


def _function(method: Any) -> Any:
    """Return the function behind a method, which may be a partial, decorated, or an object with `__call__`."""
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


def _misspelled_operation(name: str, runner: object) -> str | None:
    """Return the operation whose name a method's name misspells, if the runner has no method for that operation."""
    for operation in OPERATIONS:
        inherited = getattr(type(runner), operation, None) is getattr(CleanRoom, operation)
        if not inherited and callable(getattr(runner, operation, None)):
            continue
        if SequenceMatcher(None, _letters(name), _letters(operation)).ratio() >= _NEARLY:
            return operation
    return None


def _letters(name: str) -> str:
    return name.replace("_", "").casefold()
