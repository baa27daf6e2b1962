"""Reads a verifier's folder as a case for releases, without changing it."""

import errno
import os
import stat
from pathlib import Path

from parity.operations.files.file_states import ABSENT, FileState
from parity.operations.read_reward import RewardFolder
from parity.operations.read_reward.case import NAMES
from parity.scorer.from_disk.files import LIMIT, FolderError, too_large

_REMEDY = "name the verifier's folder of a trial"


def read_verifier(folder: Path) -> RewardFolder:
    """Read the two reward files of a verifier's folder.

    Raises:
        FolderError: it is no folder or not a verifier's, or a file in it may not be read or is too large.
    """
    try:
        names = set(os.listdir(folder))
    except OSError as error:
        raise FolderError(folder, error.strerror or type(error).__name__, _REMEDY) from None
    if not names & set(NAMES) and names & {"verifier", "trial.log", "config.json"}:
        raise FolderError(folder, "a trial's or a job's folder, not a verifier's", f"{_REMEDY}, or use --jobs")
    in_json, in_text = (_state(folder / name) for name in NAMES)
    return RewardFolder(in_json, in_text)


def _state(path: Path) -> FileState:
    if not os.path.lexists(path):
        return ABSENT
    try:
        status = path.stat()
        if stat.S_ISREG(status.st_mode):
            if status.st_size > LIMIT:
                raise too_large(path, status.st_size, LIMIT)
            return FileState("file", path.read_bytes())
    except PermissionError:
        raise FolderError(path, "may not be read", "make it readable, with chmod u+r") from None
    except OSError as error:
        return FileState("looping-link" if error.errno == errno.ELOOP else "dangling-link")
    if stat.S_ISDIR(status.st_mode):
        return FileState("directory")
    if stat.S_ISFIFO(status.st_mode):
        return FileState("fifo")
    return FileState("socket" if stat.S_ISSOCK(status.st_mode) else "device")
