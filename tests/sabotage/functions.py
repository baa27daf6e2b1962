"""Finds the functions of the clean room that run for a golden vector, and makes one of them raise.

Both use `sys.monitoring`, which sees that code begins to run, however it is called: by an imported name, as a method or
a property, by pydantic as a validator, as a closure, as a coroutine or as a generator.
"""

import inspect
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import CodeType
from typing import Any, TypeAliasType

import parity
from parity.operations.goldens import Vector, read_vectors
from parity.operations.operation import Operation
from parity.operations.wire import canonical
from parity.runners import CleanRoom
from parity.runners.asking import ask
from parity.suite.comparer import left_out

_PACKAGE = Path(parity.__file__).parent
_CLEAN_ROOM = ("formats", "scorer", "driver", "harbor_env", "runners/clean_room")
_DIRECTORIES = tuple(f"{_PACKAGE / part}/" for part in _CLEAN_ROOM)
_MODULES = tuple(f"parity.{part.replace('/', '.')}" for part in _CLEAN_ROOM)


class Sabotage(Exception):
    """Raised by the sabotaged function."""


def function_of(code: CodeType) -> str | None:
    """Return the function that code belongs to, such as `parity.driver.task:read_task`; None if it is not one of these.

    A generator expression is a part of its function. Code of modules, classes and type aliases is executed once, when
    it is imported or first used.
    """
    if not code.co_filename.startswith(_DIRECTORIES) or not code.co_flags & inspect.CO_OPTIMIZED:
        return None
    path = Path(code.co_filename).relative_to(_PACKAGE.parent).with_suffix("")
    module = ".".join(path.parts).removesuffix(".__init__")
    is_alias = isinstance(getattr(sys.modules.get(module), code.co_qualname, None), TypeAliasType)
    if is_alias or code.co_name in ("<genexpr>", "__annotate__"):
        return None
    return f"{module}:{code.co_qualname}"


def vectors_by_function(operation: Operation[Any]) -> dict[str, list[Vector]]:
    """Ask the clean room the operation's golden vectors; return those that reach each function, the plainest first."""
    reaching: defaultdict[str, list[Vector]] = defaultdict(list)
    reached: set[str] = set()
    runner = CleanRoom()
    runner.load(operation.name)
    vectors = (vector for vector in read_vectors(operation.name) if not left_out(operation, vector.case))
    with _monitored(reached.add):
        for vector in sorted(vectors, key=lambda each: (len(canonical(each.input)), each.id)):
            with operation.arguments(vector.case) as arguments:
                reached.clear()
                clear_caches()
                sys.monitoring.restart_events()
                ask(runner, operation.name, arguments)
            for function in reached:
                reaching[function].append(vector)
    return dict(reaching)


@contextmanager
def sabotaged(function: str) -> Iterator[None]:
    """Make a function of the clean room raise `Sabotage` whenever it begins to run inside the `with` block."""

    def refuse(name: str) -> None:
        if name == function:
            raise Sabotage(f"{function} is sabotaged")

    clear_caches()
    try:
        with _monitored(refuse):
            yield
    finally:
        clear_caches()


@contextmanager
def _monitored(note: Callable[[str], object]) -> Iterator[None]:
    """Call `note` with the name of each function of the clean room that begins to run inside the `with` block.

    If `note` raises an exception, so does the function, and `note` is called the next time, too. Otherwise, it is not
    called again for the same code until `sys.monitoring.restart_events` is called.
    """

    def begin(code: CodeType, offset: int) -> object:
        if function := function_of(code):
            note(function)
        return sys.monitoring.DISABLE

    monitoring = sys.monitoring
    tool = next(each for each in range(6) if monitoring.get_tool(each) is None)
    monitoring.use_tool_id(tool, "sabotage")
    monitoring.register_callback(tool, monitoring.events.PY_START, begin)
    monitoring.restart_events()
    monitoring.set_events(tool, monitoring.events.PY_START)
    try:
        yield
    finally:
        monitoring.set_events(tool, monitoring.events.NO_EVENTS)
        monitoring.free_tool_id(tool)


def clear_caches() -> None:
    """Clear the caches of the clean room's functions, which would answer in their place."""
    for name, module in [*sys.modules.items()]:
        if name.startswith(_MODULES):
            for value in vars(module).values():
                if hasattr(value, "cache_clear"):
                    value.cache_clear()
