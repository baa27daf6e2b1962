"""A replacement for tar in scripted sandboxes, which packs files in memory, and always into the same bytes."""

import io
import shlex
import tarfile
from collections.abc import Mapping
from fnmatch import fnmatch


def packed(command: str, files: Mapping[str, str]) -> tuple[str, bytes]:
    """Return the path and the bytes of the archive that a tar command creates.

    Args:
        command: the command, in the form `tar czf ARCHIVE [--exclude=PATTERN...] -C DIRECTORY .`.
        files: the contents of all files, by absolute path.
    """
    _, _, archive, *options, _, directory, _ = shlex.split(command)
    patterns = [option.removeprefix("--exclude=") for option in options]
    within = f"{directory.rstrip('/')}/"
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w:gz") as opened:
        for path, content in files.items():
            name = path.removeprefix(within)
            if path.startswith(within) and not any(
                fnmatch(part, each) for part in name.split("/") for each in patterns
            ):
                member = tarfile.TarInfo(name)
                member.size = len(content.encode())
                opened.addfile(member, io.BytesIO(content.encode()))
    return archive, stream.getvalue()
