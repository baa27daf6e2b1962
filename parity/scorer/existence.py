"""Whether a file exists, as `Path.exists` says it. Rules: `reward-file/*`, `outcome/unsearchable-folder`."""

import errno
import os
from pathlib import Path

from parity.scorer.series import Series

_ABSENT = {errno.ENOENT, errno.ENOTDIR, errno.EBADF, errno.ELOOP}


def exists(path: Path, series: Series) -> bool:
    """Links are followed, so a dangling or looping one does not exist.

    Raises:
        OSError: it cannot be known, and the series lets that through; mostly because a folder may not be searched.
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
