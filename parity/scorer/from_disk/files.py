"""Files of a job folder to text and JSON, never waiting and never reading without a bound.

Whatever lies in the place of a file (a pipe, a device, a folder, gigabytes) is refused with one line. Text is UTF-8.
"""

import json
import os
import re
import stat
from datetime import datetime
from pathlib import Path
from typing import Any

LIMIT = 64 << 20
"""Bytes that a file may have. A trial's result.json has a few thousand; one with rollout details has more."""

_ONCE = 1 << 16
_FLAGS = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC


RESTORE = "restore it as Harbor wrote it"


class FolderError(Exception):
    """Something in a folder cannot be read or judged: one line that names the file, says why, and what to do."""

    def __init__(self, where: object, problem: str, remedy: str = RESTORE) -> None:
        super().__init__(" ".join(f"{where}: {problem}; {remedy}".split()))


def read_text(path: Path | str, *, folder: int | None = None, limit: int = LIMIT) -> str:
    """The text of a regular file.

    Args:
        path: the file, relative to `folder` where that is given.
        folder: descriptor of an open folder; saves the way through the path.
        limit: bytes that the file may have.

    Raises:
        FolderError: it is missing, no regular file, too large, empty, unreadable or not UTF-8.
    """
    descriptor, size = open_regular(path, folder=folder)
    try:
        if size > limit:
            raise too_large(path, size, limit)
        content = os.read(descriptor, _ONCE)
        if len(content) == _ONCE:  # a short file is read by now
            content = _rest(descriptor, content)
        if not content:
            raise FolderError(path, "empty")
        return content.decode()
    except OSError as error:
        raise _unreadable(path, error) from None
    except UnicodeDecodeError as error:
        raise FolderError(path, f"not UTF-8: byte {error.start} is {error.object[error.start]:#04x}") from None
    finally:
        os.close(descriptor)


def open_regular(path: Path | str, *, folder: int | None = None) -> tuple[int, int]:
    """Descriptor and size of a regular file, opened for reading; nothing else is ever read from or waited for.

    Raises:
        FolderError: it is missing, no regular file, or may not be read.
    """
    try:
        descriptor = os.open(path, _FLAGS, dir_fd=folder)
    except OSError as error:
        raise _unreadable(path, error) from None
    status = os.fstat(descriptor)
    if not stat.S_ISREG(status.st_mode):
        os.close(descriptor)
        raise FolderError(path, f"not a regular file, but a {kind_of_file(status.st_mode)}")
    return descriptor, status.st_size


def _rest(descriptor: int, start: bytes) -> bytes:
    pieces = [start]
    while piece := os.read(descriptor, 1 << 20):
        pieces.append(piece)
    return b"".join(pieces)


def too_large(path: object, size: int, limit: int) -> FolderError:
    """The error for a file that is not read because of its size."""
    return FolderError(path, f"{size:,} bytes, more than the {limit:,} that are read")


def kind_of_file(mode: int) -> str:
    """What a file is that is not a regular one, in a word."""
    kinds = {stat.S_ISFIFO: "named pipe", stat.S_ISSOCK: "socket", stat.S_ISDIR: "folder"}
    return next((kind for test, kind in kinds.items() if test(mode)), "device")


def _unreadable(path: object, error: OSError) -> FolderError:
    if isinstance(error, PermissionError):
        return FolderError(path, "may not be read", "make it readable, with chmod u+r")
    known: dict[type[OSError], str] = {
        FileNotFoundError: "no such file",
        IsADirectoryError: "not a regular file, but a folder",
    }
    return FolderError(path, known.get(type(error)) or error.strerror or type(error).__name__)


def parse_object(path: object, text: str) -> dict[str, Any]:
    """The JSON object that a text is.

    Raises:
        FolderError: it is not JSON, nested too deeply, or no object.
    """
    try:
        document = json.loads(text)
        if has_surrogates(text):
            json.dumps(document, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise FolderError(path, "not JSON: half of a surrogate pair in a string") from None
    except RecursionError:
        raise FolderError(path, "nested too deeply") from None
    except ValueError as error:
        raise FolderError(path, f"not JSON: {error}") from None
    if not isinstance(document, dict):
        raise FolderError(path, f"must be a JSON object, not {type_name(document)}")
    return document


def has_surrogates(text: str) -> bool:
    """Whether the text of a JSON document may hold halves of surrogate pairs, which the wheel refuses."""
    # Most texts have no backslash at all, which is quick to see.
    return "\\" in text and ("\\ud" in text or "\\uD" in text)


def type_name(value: object) -> str:
    """What JSON calls the type of a value, with its article."""
    names = {dict: "an object", list: "an array", str: "a string", bool: "a boolean", type(None): "null"}
    return names.get(type(value), "a number")


_TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{6})?(Z|[+-][0-9]{2}:[0-9]{2})?")
_UUID = re.compile(r"[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}")


def shown(value: object) -> str:
    """A value that should be another: the start of a string, the type of anything else."""
    return repr(value[:40]) if isinstance(value, str) else type_name(value)


def seconds(time: str) -> float:
    """Seconds since 1970 of a time as Harbor writes it; without a zone it is local.

    Raises:
        ValueError, OverflowError, OSError: it is no such time.
    """
    if not _TIME.fullmatch(time):
        raise ValueError(time)
    return datetime.fromisoformat(time).timestamp()


def is_uuid(value: object) -> bool:
    """Whether it is a UUID as Harbor writes it."""
    return isinstance(value, str) and _UUID.fullmatch(value) is not None
