"""Finds out whether file modes restrict this process. Root may read every file, unless it has dropped this right."""

import os
from functools import cache

from parity.operations.files.directories import scratch_directory


@cache
def modes_count() -> bool:
    """Return whether this process is refused to read a file that has no permissions."""
    with scratch_directory() as directory:
        unreadable = directory / "unreadable"
        unreadable.touch(mode=0)
        return not os.access(unreadable, os.R_OK)
