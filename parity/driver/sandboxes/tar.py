"""Pack tar archives that the host sends into a sandbox, and unpack archives that an untrusted program there sends back.

Unpacking writes only into the target directory. Every component of a path is opened separately and never through a
symlink, so that neither the archive nor a file in the directory can redirect a write. A symlink is kept if it is
relative, has `..` only at its start, and leads no higher than the target directory, or into one of the directories
beside it that the caller names. Even a chain of such symlinks stays inside these directories.

All files that the host sends belong to root, as in a new container. Symlinks are sent as symlinks and are resolved in
the sandbox, so that no symlink can bring a file from the host into the sandbox.
"""

import os
import stat
import tarfile
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO

from parity.driver.sandbox import TransferError
from parity.driver.sandboxes.tar_members import LIMITS, Gunzipped, Limits, Readable, members
from parity.driver.threads import blocking

_PADDING = 1 << 20
"""The largest number of bytes that are read after the end of an archive."""


@blocking
def pack(source: Path, stream: IO[bytes], *, name: str) -> None:
    """Write a tar archive to a stream, with a file as `name` or a directory's content below `name`.

    The parents of `name` become directories that every user may enter. The source directory itself is not packed,
    because the directory in the sandbox must not get the mode that the source directory has on the host.

    Raises:
        TransferError: the source is missing or cannot be read.
    """
    try:
        with tarfile.open(fileobj=stream, mode="w|", format=tarfile.GNU_FORMAT) as archive:
            directory = source.is_dir()
            for parent in reversed(PurePosixPath(name, *("_" if directory else ())).parents[:-1]):
                archive.addfile(_directory_member(str(parent)))
            if directory:
                for path in sorted(source.iterdir()):
                    archive.add(path, str(PurePosixPath(name, path.name)), filter=_of_root)
            else:
                _add_file(archive, source, name)
    except BrokenPipeError:
        raise  # the program that reads the stream reports the error
    except OSError as error:
        raise TransferError(f"cannot be read from {source}: {error.strerror}") from None


def _add_file(archive: tarfile.TarFile, source: Path, name: str) -> None:
    """Add the file to which a path leads, even if the file has been deleted but is still open."""
    with os.fdopen(os.open(source, os.O_RDONLY | os.O_NONBLOCK), "rb") as file:
        member = _of_root(archive.gettarinfo(arcname=name, fileobj=file))
        if member is not None:
            archive.addfile(member, file)


def _of_root(member: tarfile.TarInfo) -> tarfile.TarInfo | None:
    """Return a member with root as its owner and group; None if it is not a file, a directory or a link."""
    member.uid = member.gid = 0
    member.uname = member.gname = "root"
    return member if member.isreg() or member.isdir() or member.issym() or member.islnk() else None


def _directory_member(name: str) -> tarfile.TarInfo:
    member = tarfile.TarInfo(name)
    member.type, member.mode = tarfile.DIRTYPE, 0o755
    member.uname = member.gname = "root"
    return member


type _PathParts = tuple[str, ...]

_DIRECTORY_FLAGS = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
_NEW_FILE_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


class _MemberRefused(Exception):
    """The reason why a member is left out."""


@dataclass(frozen=True)
class LeftOut:
    """An archive member that was skipped without an error, such as a device or a link that leads out of the target."""

    name: str
    reason: str


@blocking
def unpack(stream: Readable, target: Path, limits: Limits = LIMITS, *, siblings: Collection[str] = ()) -> list[LeftOut]:
    """Write an archive's members into an existing directory. Existing files are replaced.

    Args:
        stream: the archive. A part of what follows its end is read, too.
        target: the directory.
        limits: the limits for the archive.
        siblings: names of directories beside the target into which a symlink may lead.

    Returns:
        The members that were left out.

    Raises:
        TransferError: the archive is broken or exceeds the limits, or a file cannot be written.
    """
    left_out: list[LeftOut] = []
    written: set[_PathParts] = set()
    with _naming_the_target(target), _open_directory(target) as top:
        for member, content in members(stream, limits):
            try:
                _write_member(member, content, top, written, siblings)
            except _MemberRefused as refused:
                left_out.append(LeftOut(member.name, str(refused)))
    _read_padding(stream)
    return left_out


@blocking
def unpack_compressed(
    archive: Path, target: Path, limits: Limits = LIMITS, *, is_stopped: Callable[[], bool] = lambda: False
) -> list[LeftOut]:
    """Write the members of an archive that is compressed with gzip into an existing directory, as `unpack` does.

    If `is_stopped` returns True, it ends with a TransferError.
    """
    with archive.open("rb") as stream:
        return unpack(Gunzipped(stream, limits, is_stopped), target, limits)


@blocking
def unpack_file(stream: Readable, target: Path, limits: Limits = LIMITS) -> None:
    """Write the only file in an archive to a path. A missing parent directory is created.

    Raises:
        TransferError: as for `unpack`, or the archive does not contain exactly one regular file.
    """
    with _naming_the_target(target):
        is_written = False
        for member, content in members(stream, limits):
            if is_written or not member.isreg():
                raise TransferError("not a regular file")
            is_written = True
            target.parent.mkdir(parents=True, exist_ok=True)
            try:
                with _open_directory(target.parent) as parent:
                    _write_file(member, content, parent, target.name)
            except _MemberRefused as refused:
                raise TransferError(str(refused)) from None
        if not is_written:
            raise TransferError("no such file")
    _read_padding(stream)


def _read_padding(stream: Readable) -> None:
    left = _PADDING
    while left > 0 and (piece := stream.read(left)):
        left -= len(piece)


@contextmanager
def _naming_the_target(target: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise TransferError(f"cannot be written to {target}: {error.strerror}") from None


@contextmanager
def _open_directory(path: Path) -> Iterator[int]:
    directory = os.open(path, _DIRECTORY_FLAGS)
    try:
        yield directory
    finally:
        os.close(directory)


def _write_member(
    member: tarfile.TarInfo,
    content: Iterable[bytes],
    top: int,
    written: set[_PathParts],
    siblings: Collection[str],
) -> None:
    parts = _parts(member.name)
    if not parts:
        if not member.isdir():
            raise _MemberRefused("has no name")
        return
    with _parent_of(top, parts) as parent:
        if member.isdir():
            _make_directory(parent, parts[-1])
        elif member.issym():
            _check_link(parts, member.linkname, siblings)
            _clear(parent, parts[-1])
            os.symlink(member.linkname, parts[-1], dir_fd=parent)
        elif member.islnk():
            _link(top, _parts(member.linkname), parent, parts, written)
        elif member.isreg():
            _write_file(member, content, parent, parts[-1])
            written.add(parts)
        else:
            raise _MemberRefused("neither a file nor a directory")


def _parts(name: str) -> _PathParts:
    if name.startswith("/"):
        raise _MemberRefused("an absolute name")
    parts = tuple(part for part in name.split("/") if part not in ("", "."))
    if ".." in parts or "\0" in name:
        raise _MemberRefused("leads out of the directory")
    return parts


def _check_link(parts: _PathParts, target: str, siblings: Collection[str]) -> None:
    if not target or target.startswith("/") or "\0" in target:
        raise _MemberRefused("an absolute link")
    steps = [part for part in target.split("/") if part not in ("", ".")]
    climbs = next((place for place, step in enumerate(steps) if step != ".."), len(steps))
    name = steps[climbs] if climbs < len(steps) else ""
    is_inside = climbs < len(parts) or (climbs == len(parts) and name in siblings)
    # ".." after a name might lead anywhere, because the name may later become a symlink.
    if not is_inside or ".." in steps[climbs:]:
        raise _MemberRefused("a link that leads out of the directory")


@contextmanager
def _parent_of(top: int, parts: _PathParts) -> Iterator[int]:
    """Yield a file descriptor for a member's parent directory. Missing directories are made; no symlink is followed."""
    directory = os.dup(top)
    try:
        for part in parts[:-1]:
            with suppress(FileExistsError):
                os.mkdir(part, 0o755, dir_fd=directory)
            try:
                below = os.open(part, _DIRECTORY_FLAGS | os.O_NOFOLLOW, dir_fd=directory)
            except NotADirectoryError:
                raise _MemberRefused("is below a link or a file") from None
            os.close(directory)
            directory = below
        yield directory
    finally:
        os.close(directory)


def _make_directory(parent: int, name: str) -> None:
    if not _is_directory(parent, name):
        _clear(parent, name)
        os.mkdir(name, 0o755, dir_fd=parent)


def _link(top: int, source: _PathParts, parent: int, parts: _PathParts, written: set[_PathParts]) -> None:
    # A hard link may only lead to a file from this archive, never to any other file in the directory.
    if source not in written:
        raise _MemberRefused("a hard link to a file that is not in the archive")
    if source == parts:
        return
    with _parent_of(top, source) as directory:
        _clear(parent, parts[-1])
        os.link(source[-1], parts[-1], src_dir_fd=directory, dst_dir_fd=parent, follow_symlinks=False)
    written.add(parts)


def _write_file(member: tarfile.TarInfo, content: Iterable[bytes], parent: int, name: str) -> None:
    _clear(parent, name)
    # The mode has no setuid bit, no write access for group and others, and always read and write access for the owner.
    descriptor = os.open(name, _NEW_FILE_FLAGS, member.mode & 0o755 | 0o600, dir_fd=parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            for piece in content:
                file.write(piece)
    except BaseException:
        os.unlink(name, dir_fd=parent)
        raise


def _clear(parent: int, name: str) -> None:
    """Remove an existing file or link, so that nothing is written into it."""
    if _is_directory(parent, name):
        raise _MemberRefused("a directory is in its place")
    with suppress(FileNotFoundError):
        os.unlink(name, dir_fd=parent)


def _is_directory(parent: int, name: str) -> bool:
    try:
        return stat.S_ISDIR(os.stat(name, dir_fd=parent, follow_symlinks=False).st_mode)
    except FileNotFoundError:
        return False
