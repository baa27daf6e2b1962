"""Functions that look up what the installed release of Harbor has. Code is chosen by that, never by version."""

from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from inspect import signature
from typing import Any


@cache
def found(module: str, name: str | None = None) -> Any:
    """Return a module of Harbor, or its member of a name; None if the release does not have it.

    Raises:
        ModuleNotFoundError: a package that Harbor needs is missing.
    """
    try:
        there = import_module(module)
    except ModuleNotFoundError as error:
        if error.name is None or error.name.split(".")[0] != module.split(".")[0]:
            raise
        return None
    return there if name is None else getattr(there, name, None)


def taken(function: Callable[..., object], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments that a function has parameters for."""
    parameters = signature(function).parameters
    return {name: value for name, value in given.items() if name in parameters}


_ENDING = "__env"


def sandbox_name(session_id: str) -> str:
    """Return the name that 0.13.1 gives the sandbox to which any release gives this id."""
    return session_id.removesuffix(_ENDING)
