"""Read the members of a tar archive that an untrusted program wrote, one after another and within limits.

An archive may claim sizes larger than the disk, headers larger than the memory, or endless names. So there are limits
on everything, and the claims are checked before anything is read into memory. The time for an archive is in proportion
to its length.

`TarFile` is not used: before it returns a member, it reads the whole map of a sparse file, and searches long headers in
quadratic time.
"""

import tarfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Protocol

from parity.driver.sandbox import TooLargeError, TransferError

_LONG = {tarfile.GNUTYPE_LONGNAME: "path", tarfile.GNUTYPE_LONGLINK: "linkpath"}
_PAX = {tarfile.XHDTYPE, tarfile.SOLARIS_XHDTYPE}
_WITHOUT_CONTENT = {
    tarfile.LNKTYPE,
    tarfile.SYMTYPE,
    tarfile.CHRTYPE,
    tarfile.BLKTYPE,
    tarfile.DIRTYPE,
    tarfile.FIFOTYPE,
}
_EXTENDED_BYTES = 64 << 10
_HEADERS_PER_MEMBER = 4096
"""The average number of header bytes that each member may have: one header, and two more for long names."""

_PIECE = 1 << 16
"""The largest number of bytes that are read at once."""


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

    @property
    def headers(self) -> int:
        """The largest size of all headers together, in bytes."""
        return self.members * _HEADERS_PER_MEMBER + (1 << 20)


LIMITS = Limits()


def limits_of(max_bytes: int | None) -> Limits:
    """Return the limits for a transfer of at most `max_bytes` bytes; None for the default limits."""
    return LIMITS if max_bytes is None else replace(LIMITS, size=min(max_bytes, LIMITS.size))


class Readable(Protocol):
    """A stream of bytes."""

    def read(self, size: int, /) -> bytes:
        """Return at most `size` bytes; none at the end of the stream."""


class Gunzipped:
    """The content of a stream that is compressed with gzip. It may have several parts, one after another."""

    def __init__(self, stream: Readable, limits: Limits, is_stopped: Callable[[], bool]) -> None:
        """Begin to read a stream.

        Args:
            stream: the compressed bytes.
            limits: there may be as many compressed bytes as an archive may have, and as many parts as members.
            is_stopped: if it returns True, reading raises a TransferError.
        """
        self._stream, self._is_stopped = stream, is_stopped
        self._bytes_left, self._parts_left = limits.size + limits.headers, limits.members
        self._part, self._is_in_part, self._has_begun = zlib.decompressobj(wbits=31), False, False
        self._input = b""
        self._output, self._position = b"", 0

    def read(self, size: int) -> bytes:
        """Return at most `size` bytes; none at the end of the stream.

        Raises:
            BrokenArchive: the stream is not whole, or not compressed with gzip.
            TransferError: the stream has too many bytes or parts, or reading was stopped.
        """
        if self._position == len(self._output):
            self._output, self._position = self._next_piece(), 0
        piece = self._output[self._position : self._position + size]
        self._position += len(piece)
        return piece

    def _next_piece(self) -> bytes:
        while True:
            if not self._input and not self._read_input():
                return b""
            if not self._is_in_part and not self._begin_part():
                continue
            try:
                piece = self._part.decompress(self._input, _PIECE)
            except zlib.error as error:
                raise BrokenArchive(f"not a whole archive of gzip: {error}") from None
            self._input = self._part.unused_data if self._part.eof else self._part.unconsumed_tail
            self._is_in_part = not self._part.eof
            if piece:
                return piece

    def _read_input(self) -> bool:
        """Read more compressed bytes, and return whether there are any."""
        if self._is_stopped():
            raise TransferError("was stopped")
        self._input = self._stream.read(_PIECE)
        self._bytes_left -= len(self._input)
        if self._bytes_left < 0:
            raise TransferError("the compressed archive is longer than its files may be")
        if not self._input and (self._is_in_part or not self._has_begun):
            raise BrokenArchive("not a whole archive of gzip: it ends early")
        return bool(self._input)

    def _begin_part(self) -> bool:
        """Begin the next part if there is one. Between parts, zeros are skipped."""
        if self._has_begun:
            self._input = self._input.lstrip(b"\0")
        if not self._input:
            return False
        self._parts_left -= 1
        if self._parts_left < 0:
            raise TransferError("the compressed archive has more parts than it may have files")
        self._part, self._is_in_part, self._has_begun = zlib.decompressobj(wbits=31), True, True
        return True


def members(stream: Readable, limits: Limits) -> Iterator[tuple[tarfile.TarInfo, Iterator[bytes]]]:
    """Yield the members of an archive in order, each with the pieces of its content.

    Content that has not been read when the next member is requested is skipped.

    Raises:
        BrokenArchive: the stream is not a whole tar archive.
        TransferError: the archive exceeds the limits, or has a sparse file or a header for all of its members.
    """
    archive = _Archive(stream, limits)
    size = count = 0
    while (member := archive.next_member()) is not None:
        count += 1
        if count > limits.members:
            raise TooLargeError(f"more than {limits.members:,} files")
        size += member.size
        if size > limits.size:
            raise TooLargeError(f"more than {limits.size:,} bytes, reached with {_shortened(member.name)}")
        if len(member.name.encode(errors="surrogateescape")) > limits.path:
            raise TooLargeError(f"a path of more than {limits.path:,} bytes: {_shortened(member.name)}")
        if member.name.count("/") > limits.depth:
            raise TooLargeError(f"a path of more than {limits.depth} directories: {_shortened(member.name)}")
        content = archive.pieces(member.size)
        yield member, content
        for _ in content:
            pass
        archive.read(-member.size % tarfile.BLOCKSIZE)


def _shortened(name: str) -> str:
    return ascii(name if len(name) <= 100 else name[:97] + "...")


class _Archive:
    """An archive at the position of a header or of a member's content."""

    def __init__(self, stream: Readable, limits: Limits) -> None:
        self._stream, self._headers_left = stream, limits.headers

    def read(self, size: int) -> bytes:
        """Return the next `size` bytes."""
        pieces = []
        while size and (piece := self._stream.read(size)):
            pieces.append(piece)
            size -= len(piece)
        if size:
            raise BrokenArchive("not a whole tar archive: it ends early")
        return b"".join(pieces)

    def pieces(self, size: int) -> Iterator[bytes]:
        """Yield the next `size` bytes in pieces."""
        while size:
            piece = self.read(min(size, _PIECE))
            size -= len(piece)
            yield piece

    def next_member(self) -> tarfile.TarInfo | None:
        """Read the headers of the next member; return None at the end of the archive."""
        extended: dict[str, str] = {}
        while (member := self._header()) is not None:
            if member.type in _LONG:
                own = {_LONG[member.type]: _text(self._extended(member).partition(b"\0")[0])}
            elif member.type in _PAX:
                own = _pax_records(self._extended(member))
            else:
                break
            extended = own | extended  # the first header counts
        if member is None:
            if extended:
                raise BrokenArchive("not a whole tar archive: a header has no member")
            return None
        member.name = extended.get("path", member.name)
        member.linkname = extended.get("linkpath", member.linkname)
        member.size = _size(extended["size"]) if "size" in extended else member.size
        if member.size < 0:
            raise TransferError("a member of the archive has a negative size")
        if member.type in _WITHOUT_CONTENT:
            member.size = 0  # in some archives, a hard link has the size of the linked file
        return member

    def _header(self) -> tarfile.TarInfo | None:
        """Read one header; return None at the end of the archive."""
        self._take_header_bytes(tarfile.BLOCKSIZE)
        block = self.read(tarfile.BLOCKSIZE)
        if not any(block):
            return None
        try:
            header = tarfile.TarInfo.frombuf(block, "utf-8", "surrogateescape")
        except tarfile.HeaderError as error:
            raise BrokenArchive(f"not a whole tar archive: {error}") from None
        if header.type == tarfile.GNUTYPE_SPARSE:
            raise TransferError("the archive has a sparse file")
        if header.type == tarfile.XGLTYPE:
            raise TransferError("the archive has a global header, which would apply to all of its members")
        return header

    def _extended(self, header: tarfile.TarInfo) -> bytes:
        """Read the content of a header that extends the next one."""
        size = header.size
        if size < 0:
            raise TransferError("a member of the archive has a negative size")
        if size > _EXTENDED_BYTES:
            raise TransferError(f"a header of the archive has {size:,} bytes, more than {_EXTENDED_BYTES:,}")
        self._take_header_bytes(size)
        return self.read(size + -size % tarfile.BLOCKSIZE)[:size]

    def _take_header_bytes(self, size: int) -> None:
        self._headers_left -= size
        if self._headers_left < 0:
            raise TransferError("the headers of the archive are longer than its members need")


def _pax_records(content: bytes) -> dict[str, str]:
    """Return the records of a PAX header. A record is `length key=value` and a line break."""
    records = {}
    position = 0
    while position < len(content):
        digits = content[position : position + 8].partition(b" ")[0]
        end = position + int(digits) if digits.isdigit() else 0
        key, equals, value = content[position + len(digits) + 1 : max(end - 1, 0)].partition(b"=")
        if not equals or content[end - 1 : end] != b"\n":
            raise BrokenArchive("not a whole tar archive: bad PAX header")
        if key.startswith(b"GNU.sparse."):
            raise TransferError("the archive has a sparse file")
        records[_text(key)] = _text(value)
        position = end
    return records


def _size(digits: str) -> int:
    if len(digits) > 20 or not (digits.isascii() and digits.isdecimal()):
        raise BrokenArchive("not a whole tar archive: bad PAX header")
    return int(digits)


def _text(content: bytes) -> str:
    return content.decode(errors="surrogateescape")
