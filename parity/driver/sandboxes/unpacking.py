"""Writes a tar stream into a folder, and nowhere else: an untrusted one on the host, the host's own in a sandbox.

Every component of a path is opened by itself and never through a symlink, so that neither the archive nor what lies
in the folder already redirects a write. A symlink is kept if it is relative and climbs no higher than the folder,
climbing only at its start: such links stay inside whatever they are combined with. Only what the host has packed
keeps its modes, times and all links; there it is the folder alone that is not trusted.
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
    """Why a member is left out."""


@dataclass(frozen=True)
class LeftOut:
    """A member of an archive that was not written without failing: a link that leads out, a device, and the like."""

    name: str
    reason: str


def unpack(stream: IO[bytes], target: Path, limits: Limits = LIMITS, *, is_ours: bool = False) -> list[LeftOut]:
    """Write an archive's members into a folder that exists; files that are there are replaced.

    Args:
        stream: the archive.
        target: the folder.
        limits: how much is taken.
        is_ours: whether the host has packed it. Then empty folders are replaced, too, as tar does.

    Returns:
        Members that were left out.

    Raises:
        TransferError: the archive is broken or leaves the limits, or the host cannot write it.
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
            for member in reversed(folders):  # what was written into them has changed their times
                _finish_folder(top, member)
        finally:
            os.close(top)
    return left_out


def unpack_compressed(archive: Path, target: Path, limits: Limits = LIMITS) -> list[LeftOut]:
    """The same of a file that is compressed by gzip."""
    with gzip.open(archive) as stream:
        return unpack(cast("IO[bytes]", stream), target, limits)


def unpack_file(stream: IO[bytes], target: Path, limits: Limits = LIMITS) -> None:
    """Write the one file of an archive to a path, whose folder is made if it is missing.

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
    # Behind a name, which may become a link later, ".." might start anywhere.
    if climbs > len(parts) - 1 or ".." in steps[climbs:]:
        raise _MemberRefused("a link that leads out of the folder")


@contextlib.contextmanager
def _parent_of(top: int, parts: _PathParts) -> Iterator[int]:
    """Descriptor of the folder that a member belongs into, which is made if it is missing; never through a link."""
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
    # Only to a file of this archive, never to what else lies in the folder.
    if source not in written:
        raise _MemberRefused("a hard link to no file of the archive")
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
