"""Write a tar stream into a folder and nowhere else: an untrusted stream on the host, or the host's own in a sandbox.

Every component of a path is opened separately and never through a symlink, so that neither the archive nor a file in
the folder can redirect a write. A symlink is kept if it is relative, has `..` only at its start, and climbs no higher
than the folder: such links stay inside in any combination. Only the host's own archive keeps its modes, times and all
links, because there only the folder is untrusted.
"""

import contextlib
import gzip
import os
import shutil
import stat
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, cast

from parity.driver.sandbox import TransferError
from parity.driver.sandboxes.archive import LIMITS, Limits, members, opened

type _PathParts = tuple[str, ...]

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


class _MemberRefused(Exception):
    """The reason why a member is left out."""


@dataclass(frozen=True)
class LeftOut:
    """A member of an archive that was skipped without an error: a link that leads out, a device, and the like."""

    name: str
    reason: str


def unpack(stream: IO[bytes], target: Path, limits: Limits = LIMITS, *, is_ours: bool = False) -> list[LeftOut]:
    """Write an archive's members into a folder that exists, and replace existing files.

    Args:
        stream: the archive.
        target: the folder.
        limits: the limits of the archive.
        is_ours: whether the host packed it. Then empty folders are replaced, too, as tar does.

    Returns:
        ObjectPairs that were left out.

    Raises:
        TransferError: the archive is broken or exceeds the limits, or the host cannot write it.
    """
    left_out: list[LeftOut] = []
    written: set[_PathParts] = set()
    folders: list[tarfile.TarInfo] = []
    with opened(stream, limits) as archive, _naming_the_target(target):
        top = os.open(target, _FOLDER)
        try:
            for member in members(archive, limits):
                try:
                    _write_member(archive, member, top, written, is_ours)
                except _MemberRefused as refused:
                    left_out.append(LeftOut(member.name, str(refused)))
                if is_ours and member.isdir():
                    folders.append(member)
            for member in reversed(folders):  # files that were written into them have changed their times
                _finish_folder(top, member)
        finally:
            os.close(top)
    return left_out


def unpack_compressed(archive: Path, target: Path, limits: Limits = LIMITS) -> list[LeftOut]:
    """Write the members of a file compressed by gzip into a folder, as `unpack` does."""
    with gzip.open(archive) as stream:
        return unpack(cast("IO[bytes]", stream), target, limits)


def unpack_file(stream: IO[bytes], target: Path, limits: Limits = LIMITS) -> None:
    """Write the only file of an archive to a path. A missing parent folder is made.

    Raises:
        TransferError: as `unpack`, or the archive does not begin with a regular file.
    """
    with opened(stream, limits) as archive, _naming_the_target(target):
        found = False
        for member in members(archive, limits):
            if found or not member.isreg():
                raise TransferError("not a regular file")
            found = True
            target.parent.mkdir(parents=True, exist_ok=True)
            parent = os.open(target.parent, _FOLDER)
            try:
                _write_file(archive, member, parent, target.name)
            except _MemberRefused as refused:
                raise TransferError(str(refused)) from None
            finally:
                os.close(parent)
        if not found:
            raise TransferError("no such file")


@contextlib.contextmanager
def _naming_the_target(target: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise TransferError(f"cannot be written to {target}: {error.strerror}") from None


def _write_member(
    archive: tarfile.TarFile, member: tarfile.TarInfo, top: int, written: set[_PathParts], is_ours: bool
) -> None:
    parts = _parts(member.name)
    if not parts:
        if not member.isdir():
            raise _MemberRefused("has no name")
        return
    with _parent_of(top, parts) as parent:
        if member.isdir():
            _make_folder(parent, parts[-1])
        elif member.issym():
            if not is_ours:
                _check_link(parts, member.linkname)
            _clear(parent, parts[-1], is_ours)
            os.symlink(member.linkname, parts[-1], dir_fd=parent)
        elif member.islnk():
            _link(top, _parts(member.linkname), parent, parts, written, is_ours)
        elif member.isreg():
            _write_file(archive, member, parent, parts[-1], is_ours)
            written.add(parts)
        else:
            raise _MemberRefused("neither a file nor a folder")


def _parts(name: str) -> _PathParts:
    if name.startswith("/"):
        raise _MemberRefused("an absolute name")
    parts = tuple(part for part in name.split("/") if part not in ("", "."))
    if ".." in parts or "\0" in name:
        raise _MemberRefused("leads out of the folder")
    return parts


def _check_link(parts: _PathParts, target: str) -> None:
    if not target or target.startswith("/") or "\0" in target:
        raise _MemberRefused("an absolute link")
    steps = [part for part in target.split("/") if part not in ("", ".")]
    climbs = next((place for place, step in enumerate(steps) if step != ".."), len(steps))
    # After a name, which may become a link later, ".." might lead anywhere.
    if climbs > len(parts) - 1 or ".." in steps[climbs:]:
        raise _MemberRefused("a link that leads out of the folder")


@contextlib.contextmanager
def _parent_of(top: int, parts: _PathParts) -> Iterator[int]:
    """Yield a descriptor of a member's parent folder, made if missing, and never reached through a link."""
    folder = os.dup(top)
    try:
        for part in parts[:-1]:
            with contextlib.suppress(FileExistsError):
                os.mkdir(part, 0o755, dir_fd=folder)
            try:
                below = os.open(part, _FOLDER | os.O_NOFOLLOW, dir_fd=folder)
            except NotADirectoryError:
                raise _MemberRefused("lies behind a link or a file") from None
            os.close(folder)
            folder = below
        yield folder
    finally:
        os.close(folder)


def _make_folder(parent: int, name: str) -> None:
    if not _is_folder(parent, name):
        _clear(parent, name)
        os.mkdir(name, 0o755, dir_fd=parent)


def _link(
    top: int, source: _PathParts, parent: int, parts: _PathParts, written: set[_PathParts], is_ours: bool
) -> None:
    # Only to a file of this archive, never to another file in the folder.
    if source not in written:
        raise _MemberRefused("a hard link to a file that is not in the archive")
    if source == parts:
        return
    with _parent_of(top, source) as folder:
        _clear(parent, parts[-1], is_ours)
        os.link(source[-1], parts[-1], src_dir_fd=folder, dst_dir_fd=parent, follow_symlinks=False)
    written.add(parts)


def _finish_folder(top: int, member: tarfile.TarInfo) -> None:
    parts = _parts(member.name)
    with _parent_of(top, parts) as parent:
        folder = os.open(parts[-1], _FOLDER | os.O_NOFOLLOW, dir_fd=parent)
        try:
            _set_mode_and_time(folder, member)
        finally:
            os.close(folder)


def _write_file(
    archive: tarfile.TarFile, member: tarfile.TarInfo, parent: int, name: str, is_ours: bool = False
) -> None:
    content = archive.extractfile(member)
    if content is None:
        raise _MemberRefused("has no content")
    # Without setuid bits, never writable by others, always readable by us.
    mode = member.mode & 0o755 | 0o600
    try:
        descriptor = os.open(name, _NEW, mode, dir_fd=parent)
    except FileExistsError:
        _clear(parent, name, is_ours)
        descriptor = os.open(name, _NEW, mode, dir_fd=parent)
    whole = False
    try:
        with os.fdopen(descriptor, "wb") as file:
            shutil.copyfileobj(content, file, 1 << 16)
            if is_ours:
                file.flush()
                _set_mode_and_time(file.fileno(), member)
        whole = True
    finally:
        if not whole:
            os.unlink(name, dir_fd=parent)


def _set_mode_and_time(descriptor: int, member: tarfile.TarInfo) -> None:
    os.fchmod(descriptor, member.mode & 0o7777)
    os.utime(descriptor, (member.mtime, member.mtime))


def _clear(parent: int, name: str, is_ours: bool = False) -> None:
    if not _is_folder(parent, name):
        with contextlib.suppress(FileNotFoundError):
            os.unlink(name, dir_fd=parent)
    elif is_ours:
        os.rmdir(name, dir_fd=parent)
    else:
        raise _MemberRefused("a folder is in its place")


def _is_folder(parent: int, name: str) -> bool:
    try:
        return stat.S_ISDIR(os.stat(name, dir_fd=parent, follow_symlinks=False).st_mode)
    except FileNotFoundError:
        return False
