"""Keeps the beginning and the end of what a command prints, however much it prints."""

from collections import deque

KEPT = 1 << 20
"""Bytes that are kept of the beginning, and as many of the end."""


class Captured:
    """Bounded memory of a stream."""

    def __init__(self, kept: int = KEPT) -> None:
        self._kept = kept
        self._start = bytearray()
        self._end: deque[bytes] = deque()
        self._end_size = 0
        self._left_out = 0

    def add(self, piece: bytes) -> None:
        """Take the next bytes of the stream."""
        room = self._kept - len(self._start)
        if room > 0:
            self._start += piece[:room]
            piece = piece[room:]
        if not piece:
            return
        self._end.append(piece)
        self._end_size += len(piece)
        while self._end_size - len(self._end[0]) >= self._kept:
            dropped = len(self._end.popleft())
            self._end_size -= dropped
            self._left_out += dropped

    def text(self) -> str:
        """The text, with a line in the place of what is left out; bytes that are not UTF-8 are replaced."""
        end = b"".join(self._end)
        left_out = self._left_out + max(0, len(end) - self._kept)
        gap = f"\n[{left_out:,} bytes left out]\n".encode() if left_out else b""
        return b"".join((self._start, gap, end[-self._kept :])).decode(errors="replace")
