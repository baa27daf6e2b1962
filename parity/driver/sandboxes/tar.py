"""Pack tar archives that the host sends into a sandbox, and unpack archives that an untrusted program there sends back.

An archive from a sandbox may claim sizes larger than the disk, headers larger than the memory, or endless names. So
there are limits on everything, and the claims are checked before anything is read into memory or written.

Unpacking writes only into the target directory. Every component of a path is opened separately and never through a
symlink, so that neither the archive nor a file in the directory can redirect a write. A symlink is kept if it is
relative, has `..` only at its start, and leads no higher than the target directory. Even a chain of such symlinks stays
inside the directory.

All files that the host sends belong to root, as in a new container. Symlinks are sent as symlinks and are resolved in
the sandbox, so that no symlink can bring a file from the host into the sandbox.
"""

import gzip
import os
import shutil
import stat
import tarfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import IO, ClassVar, Self, cast

from parity.driver.sandbox import TooLargeError, TransferError

_EXTENDED = {
    tarfile.XHDTYPE,
    tarfile.XGLTYPE,
    tarfile.SOLARIS_XHDTYPE,
    tarfile.GNUTYPE_LONGNAME,
    tarfile.GNUTYPE_LONGLINK,
}
_EXTENDED_BYTES = 64 << 10
_HEADERS_PER_MEMBER = 4096
"""The average number of header bytes that each member may have: one header, and two more for long names."""


class BrokenArchive(TransferError):
    """A truncated or damaged archive. The program that made it may have printed a better message."""


@dataclass(frozen=True)
class Limits:
    """The limits for a transfer to the host."""

    size: int = 256 << 20
    """The largest size of all files together, in bytes, including holes. Also limits all downloads in a trial."""

    members: int = 10_000
    path: int = 1024
    """The largest length of a path, in bytes."""

    depth: int = 32
    """The largest number of components in a path."""


LIMITS = Limits()


def limits_of(max_bytes: int | None) -> Limits:
    """Return the limits for a transfer of at most `max_bytes` bytes; None for the default limits."""
    return LIMITS if max_bytes is None else replace(LIMITS, size=min(max_bytes, LIMITS.size))


class _BoundedInfo(tarfile.TarInfo):
    """A header of an archive. It is refused if it is global, or if tarfile would read too many bytes into memory."""

    left: ClassVar[int]
    """The number of bytes that the archive's remaining headers may have. Each archive has its own subclass."""

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str | None, errors: str) -> Self:
        info = super().frombuf(buf, encoding or "utf-8", errors)
        if info.size < 0:
            raise TransferError("a member of the archive has a negative size")
        if info.type == tarfile.XGLTYPE:
            raise TransferError("the archive has a global header, which would apply to all of its members")
        if info.type in _EXTENDED and info.size > _EXTENDED_BYTES:
            raise TransferError(f"a header of the archive has {info.size:,} bytes, more than {_EXTENDED_BYTES:,}")
        cls.left -= tarfile.BLOCKSIZE + (info.size if info.type in _EXTENDED else 0)
        if cls.left < 0:
            raise TransferError("the headers of the archive are longer than its members need")
        return info


class _BoundedStream:
    """A stream with a limit on its length, because no other limit applies to headers without members."""

    def __init__(self, stream: IO[bytes], size: int) -> None:
        self._stream = stream
        self._left = size

    def read(self, size: int) -> bytes:
        try:
            piece = self._stream.read(min(size, 1 << 20))
        except (gzip.BadGzipFile, zlib.error) as error:
            raise BrokenArchive(f"not a whole archive of gzip: {error}") from None
        self._left -= len(piece)
        if self._left < 0:
            raise TransferError("the archive is longer than its files may be")
        return piece


@contextmanager
def _opened(stream: IO[bytes], limits: Limits) -> Iterator[tarfile.TarFile]:
    """Open an archive for reading from start to end.

    Raises:
        BrokenArchive: the stream is not a whole tar archive.
        TransferError: the archive exceeds the limits.
    """
    headers = limits.members * _HEADERS_PER_MEMBER + (1 << 20)
    info = type("_BoundedInfo", (_BoundedInfo,), {"left": headers})
    # `_BoundedStream` has only `read`, because tarfile calls no other method of the stream.
    bounded = cast("IO[bytes]", _BoundedStream(stream, limits.size + headers))
    try:
        with tarfile.open(fileobj=bounded, mode="r|", tarinfo=info, errorlevel=0) as archive:
            yield archive
    except (tarfile.TarError, RecursionError, ValueError, OverflowError, EOFError, KeyError, IndexError) as error:
        raise BrokenArchive(f"not a whole tar archive: {error}") from None


def _members(archive: tarfile.TarFile, limits: Limits) -> Iterator[tarfile.TarInfo]:
    """Yield the members, one by one.

    Raises:
        TransferError: the members exceed the limits.
    """
    size = 0
    # `archive.members` is cleared, because tarfile would keep all members that it has read.
    for count, member in enumerate(iter(archive.next, None), start=1):
        archive.members.clear()  # type: ignore[attr-defined]
        if count > limits.members:
            raise TooLargeError(f"more than {limits.members:,} files")
        # In some archives, a hard link has the size of the linked file, although no data follows.
        size += 0 if member.islnk() or member.issym() else max(member.size, 0)
        if size > limits.size:
            raise TooLargeError(f"more than {limits.size:,} bytes, reached with {_shown(member.name)}")
        if len(member.name.encode(errors="surrogateescape")) > limits.path:
            raise TooLargeError(f"a path of more than {limits.path:,} bytes: {_shown(member.name)}")
        if member.name.count("/") > limits.depth:
            raise TooLargeError(f"a path of more than {limits.depth} directories: {_shown(member.name)}")
        yield member


def _shown(name: str) -> str:
    return ascii(name if len(name) <= 100 else name[:97] + "...")


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


def unpack(stream: IO[bytes], target: Path, limits: Limits = LIMITS) -> list[LeftOut]:
    """Write an archive's members into an existing directory. Existing files are replaced.

    Returns:
        The members that were left out.

    Raises:
        TransferError: the archive is broken or exceeds the limits, or a file cannot be written.
    """
    left_out: list[LeftOut] = []
    written: set[_PathParts] = set()
    with _opened(stream, limits) as archive, _naming_the_target(target), _open_directory(target) as top:
        for member in _members(archive, limits):
            try:
                _write_member(archive, member, top, written)
            except _MemberRefused as refused:
                left_out.append(LeftOut(member.name, str(refused)))
    return left_out


def unpack_compressed(archive: Path, target: Path, limits: Limits = LIMITS) -> list[LeftOut]:
    """Write the members of an archive that is compressed with gzip into an existing directory, as `unpack` does."""
    with gzip.open(archive) as stream:
        return unpack(cast("IO[bytes]", stream), target, limits)


def unpack_file(stream: IO[bytes], target: Path, limits: Limits = LIMITS) -> None:
    """Write the only file in an archive to a path. A missing parent directory is created.

    Raises:
        TransferError: as for `unpack`, or the archive does not contain exactly one regular file.
    """
    with _opened(stream, limits) as archive, _naming_the_target(target):
        is_written = False
        for member in _members(archive, limits):
            if is_written or not member.isreg():
                raise TransferError("not a regular file")
            is_written = True
            target.parent.mkdir(parents=True, exist_ok=True)
            try:
                with _open_directory(target.parent) as parent:
                    _write_file(archive, member, parent, target.name)
            except _MemberRefused as refused:
                raise TransferError(str(refused)) from None
        if not is_written:
            raise TransferError("no such file")


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


def _write_member(archive: tarfile.TarFile, member: tarfile.TarInfo, top: int, written: set[_PathParts]) -> None:
    parts = _parts(member.name)
    if not parts:
        if not member.isdir():
            raise _MemberRefused("has no name")
        return
    with _parent_of(top, parts) as parent:
        if member.isdir():
            _make_directory(parent, parts[-1])
        elif member.issym():
            _check_link(parts, member.linkname)
            _clear(parent, parts[-1])
            os.symlink(member.linkname, parts[-1], dir_fd=parent)
        elif member.islnk():
            _link(top, _parts(member.linkname), parent, parts, written)
        elif member.isreg():
            _write_file(archive, member, parent, parts[-1])
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


def _check_link(parts: _PathParts, target: str) -> None:
    if not target or target.startswith("/") or "\0" in target:
        raise _MemberRefused("an absolute link")
    steps = [part for part in target.split("/") if part not in ("", ".")]
    climbs = next((place for place, step in enumerate(steps) if step != ".."), len(steps))
    # ".." after a name might lead anywhere, because the name may later become a symlink.
    if climbs > len(parts) - 1 or ".." in steps[climbs:]:
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


def _write_file(archive: tarfile.TarFile, member: tarfile.TarInfo, parent: int, name: str) -> None:
    content = archive.extractfile(member)
    if content is None:
        raise _MemberRefused("has no content")
    _clear(parent, name)
    # The mode has no setuid bit, no write access for group and others, and always read and write access for the owner.
    descriptor = os.open(name, _NEW_FILE_FLAGS, member.mode & 0o755 | 0o600, dir_fd=parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            shutil.copyfileobj(content, file, 1 << 16)
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
