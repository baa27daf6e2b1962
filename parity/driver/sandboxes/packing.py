"""Pack files of the host into a tar stream for a sandbox.

All files in the stream belong to root, as in a fresh container. Symlinks stay symlinks and are resolved inside the
sandbox, so that none brings in a file of the host.
"""

import os
import tarfile
from pathlib import Path, PurePosixPath
from typing import IO

from parity.driver.sandbox import TransferError


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
    """Add the file that a path leads to, even if it no longer has a name."""
    with os.fdopen(os.open(source, os.O_RDONLY | os.O_NONBLOCK), "rb") as file:
        member = of_root(archive.gettarinfo(arcname=name, fileobj=file))
        if member is not None:
            archive.addfile(member, file)


def of_root(member: tarfile.TarInfo) -> tarfile.TarInfo | None:
    """Return a member as in a fresh container; None unless it is a file, folder or link."""
    member.uid = member.gid = 0
    member.uname = member.gname = "root"
    return member if member.isreg() or member.isdir() or member.issym() or member.islnk() else None


def _folder(name: str) -> tarfile.TarInfo:
    member = tarfile.TarInfo(name)
    member.type, member.mode = tarfile.DIRTYPE, 0o755
    member.uname = member.gname = "root"
    return member
