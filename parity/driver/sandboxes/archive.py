"""Read and write tar streams of sandboxes.

An archive from a sandbox may claim anything: sizes beyond the disk, headers beyond the memory, endless names. So there
are limits on everything, and its claims are checked before anything is read into memory or written.

All files in a stream for a sandbox belong to root, as in a fresh container. Symlinks stay symlinks and are resolved
inside the sandbox, so that none brings in a file of the host.
"""

import gzip
import os
import tarfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
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
"""Average bytes for a member: one header, and two more for long names."""


class BrokenArchive(TransferError):
    """A truncated or damaged archive. The program that made it may have printed a better message."""


@dataclass(frozen=True)
class Limits:
    """The limits of a transfer to the host."""

    size: int = 256 << 20
    """The most bytes of all files together, holes included. The same limit holds for all downloads of a trial."""

    members: int = 10_000
    path: int = 1024
    """The most bytes of a path."""

    depth: int = 32
    """The most components of a path."""


LIMITS = Limits()


def limits_of(room: int | None) -> Limits:
    """Return the limits of a transfer of at most this many bytes; None gives the usual limits."""
    return LIMITS if room is None else replace(LIMITS, size=min(room, LIMITS.size))


class _BoundedInfo(tarfile.TarInfo):
    """A header that is refused if it is global, or if tarfile would read too many bytes of it into memory."""

    left: ClassVar[int]
    """Bytes left for the archive's other headers. Each archive has its own subclass."""

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
    """A stream with a limit on its length, because headers without members count for no other limit."""

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
def opened(stream: IO[bytes], limits: Limits) -> Iterator[tarfile.TarFile]:
    """Open an archive that is read from start to end.

    Raises:
        BrokenArchive: the stream is not a whole tar archive.
        TransferError: the archive exceeds the limits.
    """
    headers = limits.members * _HEADERS_PER_MEMBER + (1 << 20)
    info = type("_BoundedInfo", (_BoundedInfo,), {"left": headers})
    # It has the only method that tarfile calls on a stream.
    bounded = cast("IO[bytes]", _BoundedStream(stream, limits.size + headers))
    try:
        with tarfile.open(fileobj=bounded, mode="r|", tarinfo=info, errorlevel=0) as archive:
            yield archive
    except (tarfile.TarError, RecursionError, ValueError, OverflowError, EOFError, KeyError, IndexError) as error:
        raise BrokenArchive(f"not a whole tar archive: {error}") from None


def members(archive: tarfile.TarFile, limits: Limits) -> Iterator[tarfile.TarInfo]:
    """Yield the members, one by one.

    Raises:
        TransferError: the members exceed the limits.
    """
    size = 0
    # tarfile would keep all members that it has read.
    for count, member in enumerate(iter(archive.next, None), start=1):
        archive.members.clear()  # type: ignore[attr-defined]
        if count > limits.members:
            raise TooLargeError(f"more than {limits.members:,} files")
        # A hard link has the size of its file in some archives, though no data follows.
        size += 0 if member.islnk() or member.issym() else max(member.size, 0)
        if size > limits.size:
            raise TooLargeError(f"more than {limits.size:,} bytes, reached with {_shown(member.name)}")
        if len(member.name.encode(errors="surrogateescape")) > limits.path:
            raise TooLargeError(f"a path of more than {limits.path:,} bytes: {_shown(member.name)}")
        if member.name.count("/") > limits.depth:
            raise TooLargeError(f"a path of more than {limits.depth} folders: {_shown(member.name)}")
        yield member


def _shown(name: str) -> str:
    return ascii(name if len(name) <= 100 else name[:97] + "...")


def pack(source: Path, stream: IO[bytes], *, name: str) -> None:
    """Write a file as `name`, or a folder's content into `name`, to a stream.

    The parents of `name` become folders that every user may enter. The source folder itself is not packed, because a
    folder inside must not get its mode on the host.

    Raises:
        TransferError: the source is missing or cannot be read.
    """
    try:
        with tarfile.open(fileobj=stream, mode="w|", format=tarfile.GNU_FORMAT) as archive:
            folder = source.is_dir()
            for parent in reversed(PurePosixPath(name, *("_" if folder else ())).parents[:-1]):
                archive.addfile(_folder(str(parent)))
            if folder:
                for path in sorted(source.iterdir()):
                    archive.add(path, str(PurePosixPath(name, path.name)), filter=of_root)
            else:
                _add_file(archive, source, name)
    except BrokenPipeError:
        raise  # the program at the other end reports the error
    except OSError as error:
        raise TransferError(f"cannot be read from {source}: {error.strerror}") from None


def _add_file(archive: tarfile.TarFile, source: Path, name: str) -> None:
    """Add the file that a path leads to, even if the file no longer has a name."""
    with os.fdopen(os.open(source, os.O_RDONLY | os.O_NONBLOCK), "rb") as file:
        member = of_root(archive.gettarinfo(arcname=name, fileobj=file))
        if member is not None:
            archive.addfile(member, file)


def of_root(member: tarfile.TarInfo) -> tarfile.TarInfo | None:
    """Return a member with the owner and group of a fresh container; None unless it is a file, folder or link."""
    member.uid = member.gid = 0
    member.uname = member.gname = "root"
    return member if member.isreg() or member.isdir() or member.issym() or member.islnk() else None


def _folder(name: str) -> tarfile.TarInfo:
    member = tarfile.TarInfo(name)
    member.type, member.mode = tarfile.DIRTYPE, 0o755
    member.uname = member.gname = "root"
    return member
