"""The check that a runner does not change its input.

Files are compared by kind, mode and content; arguments are compared by their form on the wire.
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
"""The mode of an entry, and the content of a readable file or the target of a link."""

_NUMBERS = ("f64", "int")
_MOST_SHOWN = 3


def watch(operation: Operation[Any], arguments: tuple[Any, ...]) -> Callable[[], str]:
    """Record the input of a call, and return a function that describes what has changed in it.

    Args:
        operation: the operation that is asked.
        arguments: the arguments of the call, as `Operation.arguments` made them; their files are on disk.

    Returns:
        A function without arguments, to be called after the call, while the files still exist. It returns the
        changes in words, or an empty string if there are none.
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
    except Exception:  # the runner may have put in any object, or removed one
        return "its arguments no longer make a valid question"
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
    """Yield everything below a folder by its name in it; nothing for a folder that may not be searched."""
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
