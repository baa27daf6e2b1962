"""Read text and JSON from the files of a job's folder, without waiting and with a size limit.

Anything else in the place of a file (a pipe, a device, a folder, gigabytes) is refused with one line. Text is UTF-8.
"""

import json
import os
import stat
from pathlib import Path
from typing import Any

LIMIT = 64 << 20
"""The most bytes of a file. A trial's result.json has a few thousand; one with rollout details has more."""

RESTORE = "restore it as Harbor wrote it"


class FolderError(Exception):
    """Something in a folder cannot be read or judged. The message is one line: the file, the problem and the remedy."""

    def __init__(self, where: object, problem: str, remedy: str = RESTORE) -> None:
        super().__init__(" ".join(f"{where}: {problem}; {remedy}".split()))


def read_text(path: Path | str, *, limit: int = LIMIT) -> str:
    """Return the text of a regular file. Nothing else is ever read from or waited for.

    Args:
        path: the file.
        limit: the most bytes of the file.

    Raises:
        FolderError: it is missing, no regular file, too large, empty, unreadable or not UTF-8.
    """
    try:
        file = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
        try:
            status = os.fstat(file)
            if not stat.S_ISREG(status.st_mode):
                raise FolderError(path, f"not a regular file, but a {kind_of_file(status.st_mode)}")
            if status.st_size > limit:
                raise too_large(path, status.st_size, limit)
            content = os.read(file, status.st_size)
            while len(content) < status.st_size and (more := os.read(file, status.st_size - len(content))):
                content += more
        finally:
            os.close(file)
    except PermissionError:
        raise FolderError(path, "may not be read", "make it readable, with chmod u+r") from None
    except OSError as error:
        known = {FileNotFoundError: "no such file", IsADirectoryError: "not a regular file, but a folder"}
        raise FolderError(path, known.get(type(error)) or error.strerror or type(error).__name__) from None
    if not content:
        raise FolderError(path, "empty")
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        raise FolderError(path, f"not UTF-8: byte {error.start} is {content[error.start]:#04x}") from None


def too_large(path: object, size: int, limit: int) -> FolderError:
    """Return the error for a file that is too large to be read."""
    return FolderError(path, f"{size:,} bytes, more than the {limit:,} that are read")


def kind_of_file(mode: int) -> str:
    """Return the kind of a file that is not a regular one, in a word."""
    kinds = {stat.S_ISFIFO: "named pipe", stat.S_ISSOCK: "socket", stat.S_ISDIR: "folder"}
    return next((kind for test, kind in kinds.items() if test(mode)), "device")


def parse_object(path: object, text: str) -> dict[str, Any]:
    """Return the JSON object in a text.

    Raises:
        FolderError: it is not JSON, nested too deeply, or no object.
    """
    try:
        document = json.loads(text)
        if may_have_half_pairs(text):  # the wheel refuses them
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


def may_have_half_pairs(text: str) -> bool:
    """Return whether a string in a JSON text may hold half of a surrogate pair."""
    return "\\" in text and ("\\ud" in text or "\\uD" in text)  # single characters are found much faster


def type_name(value: object) -> str:
    """Return JSON's name for the type of a value, with its article."""
    names = {dict: "an object", list: "an array", str: "a string", bool: "a boolean", type(None): "null"}
    return names.get(type(value), "a number")
