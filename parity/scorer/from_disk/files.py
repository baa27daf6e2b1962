"""Files of a job folder to text and JSON, never waiting and never reading without a bound.

Whatever lies in the place of a file (a pipe, a device, a folder, gigabytes) is refused with one line. Text is UTF-8.
"""

import json
import os
import stat
from datetime import datetime
from pathlib import Path
from typing import Any

LIMIT = 64 << 20
"""Bytes that a file may have. A trial's result.json has a few thousand; one with rollout details has more."""

_ONCE = 1 << 16
_FLAGS = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC


class FolderError(Exception):
    """Something in a folder cannot be read or judged: one line that names the file and says why."""

    def __init__(self, where: object, problem: str) -> None:
        super().__init__(" ".join(f"{where}: {problem}".split()))


def read_text(path: Path | str, *, folder: int | None = None, limit: int = LIMIT) -> str:
    """The text of a regular file.

    Args:
        path: the file, relative to `folder` where that is given.
        folder: descriptor of an open folder; saves the way through the path.
        limit: bytes that the file may have.

    Raises:
        FolderError: it is missing, no regular file, too large, unreadable or not UTF-8.
    """
    try:
        descriptor = os.open(path, _FLAGS, dir_fd=folder)
        try:
            content = os.read(descriptor, _ONCE)
            # A short file is read by now; pipes give nothing, and anything else is looked at first.
            if not content or len(content) == _ONCE:
                content = _rest(path, descriptor, content, limit)
        finally:
            os.close(descriptor)
        return content.decode()
    except OSError as error:
        raise FolderError(path, _reason(error)) from None
    except UnicodeDecodeError as error:
        raise FolderError(path, f"not UTF-8: byte {error.start} is {error.object[error.start]:#04x}") from None


def _rest(path: object, descriptor: int, start: bytes, limit: int) -> bytes:
    status = os.fstat(descriptor)
    if not stat.S_ISREG(status.st_mode):
        raise FolderError(path, f"not a regular file, but a {_kind(status.st_mode)}")
    if status.st_size > limit:
        raise FolderError(path, f"{status.st_size:,} bytes, more than the {limit:,} that are read")
    if not start:
        raise FolderError(path, "empty")
    pieces = [start]
    while piece := os.read(descriptor, 1 << 20):
        pieces.append(piece)
    return b"".join(pieces)


def _kind(mode: int) -> str:
    kinds = {stat.S_ISFIFO: "named pipe", stat.S_ISSOCK: "socket", stat.S_ISDIR: "folder"}
    return next((kind for test, kind in kinds.items() if test(mode)), "device")


def _reason(error: OSError) -> str:
    known: dict[type[OSError], str] = {
        FileNotFoundError: "no such file",
        IsADirectoryError: "not a regular file, but a folder",
        PermissionError: "may not be read",
    }
    return known.get(type(error)) or error.strerror or type(error).__name__


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


def seconds(time: str) -> float:
    """Seconds since 1970 of a time as pydantic writes it; without a zone it is local.

    Raises:
        ValueError, OverflowError, OSError: it is no time.
    """
    return datetime.fromisoformat(time).timestamp()
