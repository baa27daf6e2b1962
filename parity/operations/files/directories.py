"""Scratch directories for cases with files."""

import atexit
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

ROOM = 16 << 20
"""Bytes that must be free for the files of a case. All cases of a run fit into 4 MB."""

_OPEN: list[Path] = []
"""The scratch directories that exist now, the oldest first."""


@contextmanager
def scratch_directory() -> Iterator[Path]:
    """Create an empty directory for this process, yield it, and remove it afterwards; several may be open at once."""
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
        except OSError:  # the runner has changed it
            shutil.rmtree(directory, ignore_errors=True)


def check_room() -> None:
    """Check that the files of the largest case fit, by writing as many bytes into the directory of this process.

    Raises:
        OSError: it does not fit, or there is no directory.
    """
    directory = process_directory()
    try:
        with tempfile.TemporaryFile(dir=directory) as file:
            file.write(bytes(ROOM))
    except OSError as error:
        raise OSError(error.errno, error.strerror, os.fspath(directory)) from None


def process_directory() -> Path:
    """Return the directory of this process; it is removed when the process ends."""
    return _directory_of(os.getpid())


@cache
def _directory_of(process: int) -> Path:
    # In memory if the system offers it, because each case creates and removes a few tiny files.
    memory = "/dev/shm" if "TMPDIR" not in os.environ and os.access("/dev/shm", os.W_OK | os.X_OK) else None
    home = Path(tempfile.mkdtemp(prefix="parity-", dir=memory)).resolve()
    atexit.register(_remove_for, process, home)
    return home


def _remove_for(process: int, home: Path) -> None:
    if process == os.getpid():  # a forked process must not remove its parent's directory
        shutil.rmtree(home, ignore_errors=True)


def remove_process_directory() -> None:
    """Remove the directory of this process now, if it exists; for a process that ends without its exit handlers."""
    if _directory_of.cache_info().currsize:
        shutil.rmtree(process_directory(), ignore_errors=True)


def _remove(directory: str) -> None:
    """Remove a directory; faster than `shutil.rmtree` for the few entries that a case leaves."""
    for entry in os.scandir(directory):
        if entry.is_dir(follow_symlinks=False):
            _remove(entry.path)
        else:
            os.unlink(entry.path)
    os.rmdir(directory)
