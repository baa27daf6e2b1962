"""Tells the exceptions that a subclass's hooks raise apart from failures of the kit and of a sandbox's client."""

from collections.abc import Collection
from traceback import walk_tb
from types import CodeType

from parity.harbor_env.errors import SandboxError, causes

_PLATFORM = frozenset({"parity", "verifiers", "prime_sandboxes", "prime_tunnel"})
"""The packages that environments and their sandboxes are made of. All other code below a hook is the subclass's."""


def is_of_platform(module: str) -> bool:
    """Return whether a module belongs to the kit, to `verifiers`, or to its clients."""
    return module.partition(".")[0] in _PLATFORM


def hook_error(error: BaseException, hooks: Collection[CodeType]) -> Exception | None:
    """Return the exception that a subclass's hook raised, with its place as a note; None if no hook raised it.

    A hook did not raise what failed in a call of the kit or of a sandbox's client, even if it turned the failure into
    an exception of its own. By a `SandboxError`, a hook says itself that the infrastructure failed.

    Args:
        error: an exception, perhaps with the hook's exception among its causes.
        hooks: the code of the subclass's methods.
    """
    own: Exception | None = None
    place: str | None = None
    for each in causes(error):
        place = _place(each, hooks, place)
        if place is not None and own is None and isinstance(each, Exception):
            own, note = each, place
    if place is None or own is None or isinstance(own, SandboxError):
        return None
    if note not in getattr(own, "__notes__", ()):
        own.add_note(note)
    return own


def _place(error: BaseException, hooks: Collection[CodeType], place: str | None) -> str | None:
    """Return the hook and line at which an exception was raised; None if the kit or a client raised it.

    Args:
        error: the exception.
        hooks: the code of the subclass's methods.
        place: the place to return if the traceback has neither.
    """
    for frame, line in walk_tb(error.__traceback__):
        if frame.f_code in hooks:
            place = f"in {frame.f_code.co_qualname}, {frame.f_code.co_filename}:{line}"
        elif is_of_platform(frame.f_globals.get("__name__", "")):
            place = None
    if isinstance(error, BaseExceptionGroup):
        return next(filter(None, (_place(each, hooks, place) for each in error.exceptions)), None)
    return place
