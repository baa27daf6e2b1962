"""Looks up modules and attributes in the installed release of Harbor, so that no code depends on its version."""

from functools import cache
from importlib import import_module
from typing import Any


@cache
def lookup(module: str, name: str | None = None) -> Any:
    """Return a module of Harbor, or one of its attributes; None if the release does not have it.

    Raises:
        ModuleNotFoundError: a package that Harbor needs is missing.
    """
    try:
        imported = import_module(module)
    except ModuleNotFoundError as error:
        if error.name is None or error.name.split(".")[0] != module.split(".")[0]:
            raise
        return None
    return imported if name is None else getattr(imported, name, None)


_SUFFIX = "__env"


def sandbox_name(session_id: str) -> str:
    """Return the name that 0.13.1 gives to the sandbox with this id; later releases add a suffix to the id."""
    return session_id.removesuffix(_SUFFIX)
