"""Read the content of files in a job's directory, with a size limit and without blocking on pipes.

Anything else at the path of a file (a pipe, a device, a directory, gigabytes) is refused with one line. Text is UTF-8.
Needs the standard library alone, so that commands start quickly; `documents` needs pydantic.
"""

import os
import stat
from collections.abc import Collection
from pathlib import Path

LIMIT = 64 << 20
"""Default size limit for a file, in bytes. A trial's result.json has a few thousand, or more with rollout details."""

RESTORE = "restore it as Harbor wrote it"


class FileError(Exception):
    """A file cannot be read or judged. The message is one line: the file, the problem and the remedy."""

    def __init__(self, where: object, problem: str, remedy: str = RESTORE) -> None:
        super().__init__(" ".join(f"{where}: {problem}; {remedy}".split()))


def read_bytes(path: Path | str, *, limit: int = LIMIT) -> bytes:
    """Return the content of a regular file. Any other kind of file is refused without reading it or waiting for it.

    Args:
        path: the file.
        limit: the largest accepted size of the file, in bytes.

    Raises:
        FileError: the file is missing, not a regular file, too large, empty or unreadable.
    """
    try:
        file = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
        try:
            status = os.fstat(file)
            if not stat.S_ISREG(status.st_mode):
                raise FileError(path, f"not a regular file, but a {kind_of_file(status.st_mode)}")
            if status.st_size > limit:
                raise too_large(path, status.st_size, limit)
            content = os.read(file, status.st_size)
            while len(content) < status.st_size and (more := os.read(file, status.st_size - len(content))):
                content += more
        finally:
            os.close(file)
    except PermissionError:
        raise FileError(path, "may not be read", "make it readable, with chmod u+r") from None
    except OSError as error:
        reasons = {FileNotFoundError: "no such file", IsADirectoryError: "not a regular file, but a directory"}
        raise FileError(path, reasons.get(type(error)) or error.strerror or type(error).__name__) from None
    if not content:
        raise FileError(path, "empty")
    return content


def read_text(path: Path | str, *, limit: int = LIMIT) -> str:
    """Return the text of a regular file; see `read_bytes`.

    Raises:
        FileError: as for `read_bytes`, or the file is not UTF-8.
    """
    content = read_bytes(path, limit=limit)
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        raise FileError(path, f"not UTF-8: byte {error.start} is {content[error.start]:#04x}") from None


def too_large(path: object, size: int, limit: int) -> FileError:
    """Return the error for a file that is too large to be read."""
    return FileError(path, f"{size:,} bytes, more than the {limit:,} that are read")


def is_of_a_trial(names: Collection[str]) -> bool:
    """Return whether a directory with entries of these names is a trial's. Only a job has a lock.json."""
    return "lock.json" not in names and not {"trial.log", "verifier"}.isdisjoint(names)


def kind_of_file(mode: int) -> str:
    """Return the kind of a file that is not a regular file, such as `directory`."""
    kinds = {stat.S_ISFIFO: "named pipe", stat.S_ISSOCK: "socket", stat.S_ISDIR: "directory"}
    return next((kind for test, kind in kinds.items() if test(mode)), "device")
