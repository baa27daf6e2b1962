"""Scratch folders for cases that live on disk, and the rights that root must give up to be refused."""

import atexit
import ctypes
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """An empty folder of this process's own, emptied again afterwards."""
    folder = process_folder() / "case"
    folder.mkdir()
    try:
        yield folder
    finally:
        try:
            _remove(folder)
        except OSError:  # a runner has meddled with it
            shutil.rmtree(folder, ignore_errors=True)


@cache
def process_folder() -> Path:
    """A folder of this process's own, removed when it ends."""
    # In memory where the system offers it: a case is a handful of tiny files, made and removed at once.
    memory = "/dev/shm" if "TMPDIR" not in os.environ and os.access("/dev/shm", os.W_OK | os.X_OK) else None
    home = Path(tempfile.mkdtemp(prefix="parity-", dir=memory)).resolve()
    atexit.register(shutil.rmtree, home, ignore_errors=True)
    return home


def _remove(folder: Path) -> None:
    """Like `shutil.rmtree`, but quick on the handful of entries that a case leaves."""
    for entry in os.scandir(folder):
        if entry.is_dir(follow_symlinks=False):
            _remove(Path(entry.path))
        else:
            os.unlink(entry.path)
    folder.rmdir()


_CAPABILITY_VERSION_3 = 0x20080522
_CAP_DAC_OVERRIDE, _CAP_DAC_READ_SEARCH = 1 << 1, 1 << 2


@contextmanager
def without_file_privileges() -> Iterator[None]:
    """Make file permissions count for root too, in this thread.

    On Linux the two capabilities that override them are put aside for the time being. Anybody but root is
    refused anyway, and nothing is done.

    Raises:
        OSError: the kernel does not let the capabilities be changed.
    """
    if os.geteuid() != 0 or not sys.platform.startswith("linux"):
        yield
        return
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION_3, 0)
    held = (ctypes.c_uint32 * 6)()
    _call("capget", header, held)
    fewer = (ctypes.c_uint32 * 6)(*held)
    fewer[0] &= ~(_CAP_DAC_OVERRIDE | _CAP_DAC_READ_SEARCH)
    _call("capset", header, fewer)
    try:
        yield
    finally:
        _call("capset", header, held)


def _call(name: str, *arguments: object) -> None:
    library = ctypes.CDLL(None, use_errno=True)
    if getattr(library, name)(*arguments) != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{name}: {os.strerror(number)}")
