"""Finds the lines in a traceback that belong to a runner, or to another pytest plugin.

Lines in the kit, in pytest and in the standard library are left out.
"""

import sysconfig
from pathlib import Path
from traceback import extract_tb

_KIT = Path(__file__).resolve().parent.parent
_LIBRARY = sysconfig.get_path("stdlib")
_INSTALLED = {"site-packages", "dist-packages"}
_AROUND = {"_pytest", "pluggy"}


def is_own(filename: str) -> bool:
    """Return whether a file belongs to the runner or to its third-party packages."""
    path = Path(filename)
    if path.is_relative_to(_KIT):
        return False
    is_library = filename.startswith("<frozen") or path.is_relative_to(_LIBRARY)
    is_installed = not _INSTALLED.isdisjoint(path.parts)
    return _AROUND.isdisjoint(path.parts) and (is_installed or not is_library)


def place_of(error: BaseException) -> str:
    """Return the last line in an exception's traceback that belongs to a runner, in parentheses; empty if none does."""
    own = [frame for frame in extract_tb(error.__traceback__) if is_own(frame.filename)]
    return f" (at {own[-1].filename}:{own[-1].lineno})" if own else ""
