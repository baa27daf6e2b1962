"""Whether file modes keep this process from reading: root may read everything, unless it has given up the rights."""

import os
from functools import cache

from parity.operations.files.directories import scratch_directory


@cache
def modes_count() -> bool:
    """Return whether a file without permissions cannot be read."""
    with scratch_directory() as directory:
        unreadable = directory / "unreadable"
        unreadable.touch(mode=0)
        return not os.access(unreadable, os.R_OK)
