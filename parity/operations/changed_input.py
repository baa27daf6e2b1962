"""What a runner was given, before and after a call: a runner reads it, and leaves it as it was.

Files are compared by kind, mode and content, arguments by what they are on the wire.
"""

import os
import pickle
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from parity.operations.compare import compare
from parity.operations.files.folders import case_folder
from parity.operations.operation import Operation

type _Entry = tuple[int, bytes | str | None]
"""Mode, and the content of a file that can be read or the target of a link."""

_NUMBERS = ("f64", "int")
_MOST_SHOWN = 3


def watch(operation: Operation[Any], arguments: tuple[Any, ...]) -> Callable[[], str]:
    """Remember what a call is given.

    Args:
        operation: what is asked.
        arguments: those of the call, as its `arguments` made them; files that they name are on disk.

    Returns:
        A function to be called after the call, while the files are still there: what is no longer as it was, in words;
        empty where everything is.
    """
    if operation.path_member is None:
        given = pickle.dumps(arguments)
        return lambda: _changed_arguments(operation, given, arguments)
    folder = case_folder(arguments[0])
    before = dict(_entries(folder))
    return lambda: _changed_files(before, dict(_entries(folder)))


def _changed_arguments(operation: Operation[Any], given: bytes, arguments: tuple[Any, ...]) -> str:
    try:
        if pickle.dumps(arguments) == given:
            return ""
        before, after = operation.question(*pickle.loads(given)), operation.question(*arguments)
        difference = compare(before, after)
    except Exception:  # whatever the runner put there, or took away
        return "its arguments are no longer such as it is asked with"
    if difference is None:
        return ""
    path = [step for step in difference.path if step not in _NUMBERS]
    return f"its arguments are changed at {''.join(f'[{step!r}]' for step in path)}"


def _changed_files(before: dict[str, _Entry], after: dict[str, _Entry]) -> str:
    if before == after:
        return ""
    differences = [f"{name} is gone" for name in before if name not in after]
    differences += [f"{name} is new" for name in after if name not in before]
    differences += [f"{name} is changed" for name, entry in before.items() if name in after and after[name] != entry]
    more = f", and {len(differences) - _MOST_SHOWN} more" if len(differences) > _MOST_SHOWN else ""
    return ", ".join(sorted(differences)[:_MOST_SHOWN]) + more


def _entries(folder: Path | str, prefix: str = "") -> Iterator[tuple[str, _Entry]]:
    """Everything below a folder by its name in it; nothing of a folder that may not be searched."""
    try:
        listed = os.scandir(folder)
    except OSError:
        return
    with listed:
        for entry in listed:
            status = entry.stat(follow_symlinks=False)
            mode = status.st_mode
            name = prefix + entry.name
            if stat.S_ISDIR(mode):
                yield name, (mode, None)
                yield from _entries(entry.path, f"{name}/")
            elif stat.S_ISLNK(mode):
                yield name, (mode, os.readlink(entry.path))
            else:
                yield name, (mode, _content(entry.path, status.st_size) if stat.S_ISREG(mode) else None)


def _content(path: str, size: int) -> bytes | None:
    try:
        file = os.open(path, os.O_RDONLY)
    except OSError:  # it may not be read
        return None
    try:
        return os.read(file, size)
    finally:
        os.close(file)
