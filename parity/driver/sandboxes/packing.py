"""Packs files of the host into a tar stream for a sandbox.

What the stream holds belongs to root, as a fresh container's files do, and symlinks remain symlinks: they are
resolved inside the sandbox, so that none brings in a file of the host.
"""

import tarfile
from pathlib import Path
from typing import IO

from parity.driver.sandbox import TransferError


def pack(source: Path, stream: IO[bytes], *, name: str) -> None:
    """Write a file as `name`, or what a folder holds, to a stream.

    The folder itself is no member: its mode on the host must not become that of a folder inside.

    Raises:
        TransferError: the source is missing or cannot be read.
    """
    try:
        with tarfile.open(fileobj=stream, mode="w|", format=tarfile.GNU_FORMAT) as archive:
            if source.is_dir():
                for path in sorted(source.iterdir()):
                    archive.add(path, path.name, filter=of_root)
            else:
                archive.add(source.resolve(strict=True), name, filter=of_root)
    except BrokenPipeError:
        raise  # the other end tells why
    except OSError as error:
        raise TransferError(f"cannot be read from {source}: {error.strerror}") from None


def of_root(member: tarfile.TarInfo) -> tarfile.TarInfo | None:
    """A member as a fresh container has it; None for what is neither file, folder nor link."""
    member.uid = member.gid = 0
    member.uname = member.gname = "root"
    return member if member.isreg() or member.isdir() or member.issym() or member.islnk() else None
