"""Which lines of a traceback are a runner's own: not the kit's around it, and not the standard library's below it."""

import sysconfig
from pathlib import Path

_KIT = Path(__file__).resolve().parent.parent
_BRIDGES = _KIT / "runners" / "bridges"
_LIBRARY = sysconfig.get_path("stdlib")
_INSTALLED = {"site-packages", "dist-packages"}


def is_own(filename: str) -> bool:
    """Whether code in this file is the runner's, or of what it uses beside the standard library."""
    path = Path(filename)
    if path.is_relative_to(_KIT):
        return path.is_relative_to(_BRIDGES)
    is_library = filename.startswith("<frozen") or path.is_relative_to(_LIBRARY)
    return not is_library or not _INSTALLED.isdisjoint(path.parts)
