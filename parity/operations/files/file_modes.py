"""Whether file modes keep this process from reading: root may read everything, unless it has given up the rights."""

import os
from functools import cache

from parity.operations.files.folders import scratch_folder


@cache
def modes_count() -> bool:
    """Return whether a file without permissions cannot be read."""
    with scratch_folder() as folder:
        unreadable = folder / "unreadable"
        unreadable.touch(mode=0)
        return not os.access(unreadable, os.R_OK)
