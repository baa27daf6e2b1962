"""Writes to standard output and standard error, which may be closed, full, or a pipe without a reader.

If the reader of a pipe has closed it, further output is dropped, and the exit code is not affected. Output to a full
disk or a closed stream raises OSError, which is a fault.
"""

import os
import sys
from typing import TextIO


def open_missing_streams() -> None:
    """Replace streams that were closed when the program started.

    Writing to the new standard output fails. Output to the new standard error is dropped.
    """
    if sys.stdout is None:
        # It is opened for reading, so that writing to it fails as on a closed stream.
        sys.stdout = os.fdopen(os.open(os.devnull, os.O_RDONLY), "w", encoding="utf-8")
    if sys.stderr is None:
        sys.stderr = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w", encoding="utf-8")


def write(text: str) -> None:
    """Write the text to standard output unchanged, and flush the stream.

    Raises:
        OSError: the text cannot be written.
    """
    data = memoryview(text.encode())
    try:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        drop(sys.stdout)


def say(line: str) -> None:
    """Write a line to standard error; ignore errors."""
    try:
        print(line, file=sys.stderr, flush=True)
    except OSError:
        drop(sys.stderr)


def counted(number: int, what: str) -> str:
    """Return a number with its noun, such as `1 trial` or `2 trials`."""
    return f"{number:,} {what}{'s' * (number != 1)}"


def drop(stream: TextIO) -> None:
    """Drop all buffered and further output of a stream. Otherwise, Python would fail to flush the stream at exit."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, stream.fileno())
    os.close(null)
