"""Standard output and standard error, which may be closed, full, or a pipe without a reader.

Where the reader has closed a pipe, further output is dropped, and the exit code stays what it would have been.
What a full disk or a closed output does not take is an OSError, and so a fault.
"""

import os
import sys
from typing import TextIO


def open_missing_streams() -> None:
    """Python has None for a closed stream: nothing can be written to such an output, and errors go nowhere."""
    if sys.stdout is None:
        # Opened for reading, so that writing fails as it does on a closed stream.
        sys.stdout = os.fdopen(os.open(os.devnull, os.O_RDONLY), "w", encoding="utf-8")
    if sys.stderr is None:
        sys.stderr = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w", encoding="utf-8")


def write(text: str) -> None:
    """Write to standard output now, exactly the text.

    Raises:
        OSError: it is not taken.
    """
    data = memoryview(text.encode())
    try:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        drop(sys.stdout)


def say(line: str) -> None:
    """Write a line to standard error, if that is open."""
    try:
        print(line, file=sys.stderr, flush=True)
    except OSError:
        drop(sys.stderr)


def counted(number: int, what: str) -> str:
    """`1 trial`, `2 trials`."""
    return f"{number:,} {what}{'s' * (number != 1)}"


def drop(stream: TextIO) -> None:
    """Let what the stream still holds, and gets from now on, go nowhere; else Python tries again when it exits."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, stream.fileno())
    os.close(null)
