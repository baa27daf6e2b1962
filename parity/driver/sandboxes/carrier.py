"""Pack or unpack files of a running local sandbox, in a separate process that `helper` forks.

The process joins the user and mount namespaces of the sandbox's first process, and no others, so nothing inside can
see, stop or trace it. It keeps one capability: to read and write files whatever their mode. It runs, loads and trusts
no file inside. It imports all that it needs before it joins, because afterwards nothing can be imported.
"""

import ctypes
import os
import stat
import sys
import tarfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, NoReturn, cast

from parity.driver.sandbox import TransferError
from parity.driver.sandboxes.archive import Limits
from parity.driver.sandboxes.joining import (
    PR_SET_DUMPABLE,
    PR_SET_NO_NEW_PRIVS,
    bound,
    call,
    join,
    prctl,
)
from parity.driver.sandboxes.unpacking import unpack

_MNT_DETACH = 2
_CAPABILITIES_VERSION = 0x20080522
_CAP_DAC_OVERRIDE = 1

_MEMORY = 512 << 20
_BLOCK = 1 << 16
# Opening must not block if a process inside has meanwhile made the file a pipe or leased it.
_FILE = os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC


def main(sandbox: int, size: int, action: str, path: str) -> NoReturn:
    """Pack or unpack, and exit with 0. After an error, exit with 1 and a line on standard error.

    Args:
        sandbox: process descriptor of the sandbox's first process.
        size: the most bytes of a file inside.
        action: `fetch-folder` or `fetch-file` to pack to standard output, `store` to unpack from standard input.
        path: the path inside.
    """
    code = 1
    try:
        actions: dict[str, Callable[[str], None]]
        actions = {"fetch-folder": _fetch_folder, "fetch-file": _fetch_file, "store": _store}
        act = actions[action]
        _join(sandbox)
        _bound(size)
        act(path)
        code = 0
    except TransferError as refused:
        _complain(str(refused))
    except OSError as error:
        name = "" if error.filename is None else f"{error.filename!a}: "
        _complain(f"{name}{error.strerror or error}")
    except BaseException as error:  # a traceback would read source lines from files inside
        _complain(type(error).__name__)
    finally:
        os._exit(code)


def _complain(text: str) -> None:
    os.write(2, text[:1000].encode(errors="backslashreplace") + b"\n")


def _join(sandbox: int) -> None:
    join(sandbox, os.CLONE_NEWUSER | os.CLONE_NEWNS)
    # The same files without /proc, because its links lead to the open files of processes.
    os.unshare(os.CLONE_NEWNS)
    call("umount2", b"/proc", _MNT_DETACH)
    os.chdir("/")
    os.close(sandbox)
    os.umask(0o022)


def _bound(size: int) -> None:
    bound({"NPROC": 0, "CORE": 0, "DATA": _MEMORY, "FSIZE": size})
    header = (ctypes.c_uint32 * 2)(_CAPABILITIES_VERSION, 0)
    only = 1 << _CAP_DAC_OVERRIDE
    call("capset", header, (ctypes.c_uint32 * 6)(only, only, 0, 0, 0, 0))
    prctl(PR_SET_NO_NEW_PRIVS, 1)
    prctl(PR_SET_DUMPABLE, 0)


@contextmanager
def _archive() -> Iterator[tarfile.TarFile]:
    """Open an archive on standard output."""
    with (
        os.fdopen(1, "wb", _BLOCK) as stream,
        tarfile.open(fileobj=stream, mode="w|", bufsize=_BLOCK, format=tarfile.GNU_FORMAT) as archive,
    ):
        yield archive


def _fetch_folder(path: str) -> None:
    try:
        top = os.open(path, _FOLDER)
    except (FileNotFoundError, NotADirectoryError):
        raise TransferError("no such folder") from None
    with _archive() as archive:
        _add(archive, "./", os.fstat(top))
        _add_all(archive, top, ".")


def _fetch_file(path: str) -> None:
    try:
        file = os.open(path, _FILE) if stat.S_ISREG(os.stat(path).st_mode) else None
    except (FileNotFoundError, NotADirectoryError):
        file = None
    if file is None or not stat.S_ISREG((found := os.fstat(file)).st_mode):
        raise TransferError("no such regular file")
    with _archive() as archive:
        _add(archive, f"./{os.path.basename(path)}", found, file)


def _add_all(archive: tarfile.TarFile, folder: int, name: str) -> None:
    """Add the content of a folder, and close the folder. Files that vanish meanwhile are left out."""
    try:
        for each in sorted(os.listdir(folder)):
            path = f"{name}/{each}"
            try:
                found = os.stat(each, dir_fd=folder, follow_symlinks=False)
                if stat.S_ISDIR(found.st_mode):
                    below = os.open(each, _FOLDER | os.O_NOFOLLOW, dir_fd=folder)
                    _add(archive, path, os.fstat(below))
                    _add_all(archive, below, path)
                elif stat.S_ISREG(found.st_mode):
                    _add_file(archive, folder, each, path)
                elif stat.S_ISLNK(found.st_mode):
                    _add(archive, path, found, link=os.readlink(each, dir_fd=folder))
                else:
                    _add(archive, path, found)
            except FileNotFoundError:
                continue
    finally:
        os.close(folder)


def _add_file(archive: tarfile.TarFile, folder: int, name: str, path: str) -> None:
    file = os.open(name, _FILE | os.O_NOFOLLOW, dir_fd=folder)
    try:
        found = os.fstat(file)
        _add(archive, path, found, file if stat.S_ISREG(found.st_mode) else None)
    finally:
        os.close(file)


_TYPES = {
    stat.S_IFREG: tarfile.REGTYPE,
    stat.S_IFDIR: tarfile.DIRTYPE,
    stat.S_IFLNK: tarfile.SYMTYPE,
    stat.S_IFIFO: tarfile.FIFOTYPE,
    stat.S_IFCHR: tarfile.CHRTYPE,
    stat.S_IFBLK: tarfile.BLKTYPE,
}
"""The type of a member, by the mode of its file. A socket has no type and is left out, as by tar."""


def _add(archive: tarfile.TarFile, path: str, found: os.stat_result, file: int | None = None, link: str = "") -> None:
    kind = _TYPES.get(stat.S_IFMT(found.st_mode))
    if kind is None:
        return
    member = tarfile.TarInfo(path)
    member.type, member.linkname = kind, link
    member.mode, member.mtime = stat.S_IMODE(found.st_mode), int(found.st_mtime)
    member.size = 0 if file is None else found.st_size
    archive.addfile(member, None if file is None else cast("IO[bytes]", _Content(file)))
    archive.members.clear()  # type: ignore[attr-defined]  # they are many


class _Content:
    """A file's content, with the length from its header. If the file has become shorter, zeros follow."""

    def __init__(self, file: int) -> None:
        self._file = file

    def read(self, size: int) -> bytes:
        pieces = []
        while size and (piece := os.read(self._file, size)):
            pieces.append(piece)
            size -= len(piece)
        return b"".join((*pieces, bytes(size)))


def _store(path: str) -> None:
    """Unpack the host's trusted archive into an untrusted folder."""
    os.makedirs(path, exist_ok=True)
    any_number = sys.maxsize
    with os.fdopen(0, "rb", _BLOCK) as stream:
        limits = Limits(any_number, any_number, any_number, any_number)
        for left_out in unpack(stream, Path(path), limits, is_ours=True):
            raise TransferError(f"{left_out.name!a}: {left_out.reason}")
