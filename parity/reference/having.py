"""What the release of Harbor at hand has: the code that asks it is chosen by that, never by its number."""

from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from inspect import signature
from typing import Any


@cache
def found(module: str, name: str | None = None) -> Any:
    """A module of Harbor, or what it has under a name; None where the release has none.

    Raises:
        ModuleNotFoundError: a package is missing that Harbor needs.
    """
    try:
        there = import_module(module)
    except ModuleNotFoundError as error:
        if error.name is None or error.name.split(".")[0] != module.split(".")[0]:
            raise
        return None
    return there if name is None else getattr(there, name, None)


def taken(function: Callable[..., object], given: Mapping[str, Any]) -> dict[str, Any]:
    """Those of the arguments that a function has a parameter for."""
    parameters = signature(function).parameters
    return {name: value for name, value in given.items() if name in parameters}
