"""Decide whether a file exists, as `Path.exists` does. Rules: `reward-file/*`, `outcome/unsearchable-folder`."""

import errno
import os
from pathlib import Path

from parity.scorer.series import Series

_ABSENT = {errno.ENOENT, errno.ENOTDIR, errno.EBADF, errno.ELOOP}


def exists(path: Path, series: Series) -> bool:
    """Return whether a file exists. Symlinks are followed; a dangling or looping symlink counts as missing.

    Raises:
        OSError: the system refuses to answer, usually because a directory may not be searched. `Series.PY314` returns
            False instead.
    """
    try:
        # Rule: reward-file/link-is-followed
        os.stat(path)
    except OSError as error:
        # Rules: reward-file/dangling-link-is-absent, reward-file/unsearchable-folder, outcome/unsearchable-folder
        if error.errno in _ABSENT or series is Series.PY314:
            return False
        raise
    return True
