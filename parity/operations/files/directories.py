"""Creates scratch directories for cases with files."""

import atexit
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

ROOM = 16 << 20
"""The number of bytes that must be free for the files of a case. The files of all cases in a run fit into 4 MB."""

_OPEN: list[Path] = []
"""The scratch directories that currently exist, the oldest first."""


@contextmanager
def scratch_directory() -> Iterator[Path]:
    """Create an empty directory, yield its path, and remove it afterwards. Several directories may exist at once."""
    path = f"{process_directory()}/{f'case-{len(_OPEN) + 1}' if _OPEN else 'case'}"
    os.mkdir(path)
    directory = Path(path)
    _OPEN.append(directory)
    try:
        yield directory
    finally:
        _OPEN.remove(directory)
        try:
            _remove(path)
        except OSError:  # the runner has changed the directory
            shutil.rmtree(directory, ignore_errors=True)


def check_room() -> None:
    """Check that the files of the largest case fit on the disk, by writing `ROOM` bytes into this process's directory.

    Raises:
        OSError: there is not enough space, or the directory cannot be created.
    """
    directory = process_directory()
    try:
        with tempfile.TemporaryFile(dir=directory) as file:
            file.write(bytes(ROOM))
    except OSError as error:
        raise OSError(error.errno, error.strerror, os.fspath(directory)) from None


def process_directory() -> Path:
    """Return the directory for this process's scratch directories, which is removed when the process ends."""
    return _directory_of(os.getpid())


@cache
def _directory_of(process: int) -> Path:
    # The directory is in memory if the system supports this, because each case creates and removes a few tiny files.
    memory = "/dev/shm" if "TMPDIR" not in os.environ and os.access("/dev/shm", os.W_OK | os.X_OK) else None
    home = Path(tempfile.mkdtemp(prefix="parity-", dir=memory)).resolve()
    atexit.register(_remove_for, process, home)
    return home


def _remove_for(process: int, home: Path) -> None:
    if process == os.getpid():  # a forked process must not remove its parent's directory
        shutil.rmtree(home, ignore_errors=True)


def remove_process_directory() -> None:
    """Remove the directory of this process, if it exists. A process that ends without exit handlers must call this."""
    if _directory_of.cache_info().currsize:
        shutil.rmtree(process_directory(), ignore_errors=True)


def _remove(directory: str) -> None:
    """Remove a directory and its content. This is faster than `shutil.rmtree` for the few entries a case leaves."""
    for entry in os.scandir(directory):
        if entry.is_dir(follow_symlinks=False):
            _remove(entry.path)
        else:
            os.unlink(entry.path)
    os.rmdir(directory)
