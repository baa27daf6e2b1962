"""How much of the host's disk one trial may take, whatever it carries out, and in how many transfers."""

import os
from dataclasses import dataclass
from pathlib import Path

BYTES = 256 << 20
"""Bytes of all files in a trial's folder."""

_LEAST = 4096
"""Bytes that each file and folder counts for at least, as it takes them on a disk."""


@dataclass(frozen=True)
class Room:
    """What a trial's folder may still take."""

    folder: Path

    def left(self) -> int:
        """Bytes; none if it holds more."""
        return max(0, BYTES - _size(self.folder))


def _size(folder: Path | str) -> int:
    size = 0
    with os.scandir(folder) as entries:
        for entry in entries:
            size += max(_LEAST, entry.stat(follow_symlinks=False).st_size)
            if entry.is_dir(follow_symlinks=False):
                size += _size(entry.path)
    return size
