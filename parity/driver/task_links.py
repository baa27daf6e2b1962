"""Refuse task directories with pipes or devices, which may never end, links that lead out, or very deep directories."""

import os
import stat
from collections.abc import Sequence
from pathlib import Path

from parity.driver.errors import UnsupportedTask
from parity.scorer.from_disk.files import kind_of_file

_OF_THE_KERNEL = "/dev", "/proc", "/sys"
"""Directories of the kernel, where even regular files may never end."""

_DEPTH = 100
"""The deepest nesting of directories. At some hundreds, Harbor's job ends while it computes the task's digest."""

_PARTS = "environment", "environment/Dockerfile", "tests", "solution", "instruction.md", "steps"
_PARTS_OF_A_STEP = "instruction.md", "tests", "solution", "workdir"


def check_plain(directory: Path, path: Path) -> None:
    """Check that a path in a task's directory is a file or directory, a link to one, or missing.

    Raises:
        UnsupportedTask: the path is anything else.
    """
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError):
        return  # reading it will report the error
    wrong = None
    if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
        wrong = f"a {kind_of_file(mode)}"
    elif path.is_symlink() and any((target := path.resolve()).is_relative_to(top) for top in _OF_THE_KERNEL):
        wrong = f"a link to {target}"
    if wrong:
        name = path.relative_to(directory)
        raise UnsupportedTask(directory, f"{name} is {wrong}; put a file in its place, or remove it")


def check_all_plain(directory: Path) -> None:
    """Check that a task has only files and directories, is not too deep, and has no links to directories outside.

    Raises:
        UnsupportedTask: the directory has something else.
        OSError: a directory cannot be read.
    """
    home = directory.resolve()
    for top, directories, files in os.walk(directory, onerror=_raise):
        above = [part for part in top.removeprefix(str(directory)).split("/") if part]
        if len(above) >= _DEPTH and (directories or files):
            raise UnsupportedTask(
                directory, f"{above[0]} has more than {_DEPTH} directories within each other; make it flatter"
            )
        for name in directories + files:
            if stat.S_IFMT(os.lstat(f"{top}/{name}").st_mode) in (stat.S_IFREG, stat.S_IFDIR):
                continue
            path = Path(top, name)
            check_plain(directory, path)
            if path.is_symlink() and path.is_dir() and not path.resolve().is_relative_to(home):
                raise _leads_out(directory, path.relative_to(directory))


def _raise(error: OSError) -> None:
    raise error


def check_links(directory: Path, home: Path, steps: Sequence[str]) -> None:
    """Check that no part of a task is a link that leads out of it: Harbor would still upload it into the sandbox.

    Args:
        directory: the task's directory, as it was named.
        home: the same, resolved.
        steps: names of its steps.

    Raises:
        UnsupportedTask: a part is such a link.
    """
    parts = [*_PARTS]
    for step in steps:
        parts += [f"steps/{step}", *(f"steps/{step}/{name}" for name in _PARTS_OF_A_STEP)]
    for name in parts:
        try:
            is_inside = (home / name).resolve().is_relative_to(home)
        except (OSError, RuntimeError) as error:
            raise UnsupportedTask(directory, f"{name} cannot be read: {error}; correct it") from None
        if not is_inside:
            raise _leads_out(directory, name)


def _leads_out(directory: Path, name: object) -> UnsupportedTask:
    return UnsupportedTask(
        directory, f"{name} is a link that leads out of the task; replace it with a copy of its target"
    )
