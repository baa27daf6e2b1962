"""Refuse a task directory that contains pipes or devices, symlinks to targets outside it, or very deep directories.

Pipes and devices are refused because reading them may never end.
"""

import os
import stat
from collections.abc import Sequence
from pathlib import Path

from parity.driver.errors import UnsupportedTask
from parity.scorer.job_directory.files import kind_of_file

_OF_THE_KERNEL = "/dev", "/proc", "/sys"
"""Directories that the kernel provides, where even reading a regular file may never end."""

_DEPTH = 100
"""The largest depth of nested directories. At a few hundred, Harbor's job fails while it computes the task's digest."""

_PARTS = "environment", "environment/Dockerfile", "tests", "solution", "instruction.md", "steps"
_PARTS_OF_A_STEP = "instruction.md", "tests", "solution", "workdir"


def check_plain(directory: Path, path: Path) -> None:
    """Check that a path in a task's directory is missing, a file, a directory, or a symlink to a file or directory.

    Raises:
        UnsupportedTask: the path is something else, or a symlink to one of the kernel's directories.
    """
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError):
        return  # reading the path will report the error
    wrong = None
    if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
        wrong = f"a {kind_of_file(mode)}"
    elif path.is_symlink() and any((target := path.resolve()).is_relative_to(top) for top in _OF_THE_KERNEL):
        wrong = f"a link to {target}"
    if wrong:
        name = path.relative_to(directory)
        raise UnsupportedTask(directory, f"{name} is {wrong}; put a file in its place, or remove it")


def check_all_plain(directory: Path, home: Path) -> bool:
    """Check that a task contains only files and directories, no symlinks to outside directories, and is not too deep.

    Args:
        directory: the task's directory, as the user wrote it.
        home: the task's directory with symlinks resolved.

    Returns:
        Whether the task contains any symlink.

    Raises:
        UnsupportedTask: the task contains something else, or is too deep.
        OSError: a directory cannot be read.
    """
    has_links = False
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
            has_links = True  # anything else that is not plain has been refused
            if path.is_dir() and not path.resolve().is_relative_to(home):
                raise _leads_out(directory, path.relative_to(directory))
    return has_links


def _raise(error: OSError) -> None:
    raise error


def check_links(directory: Path, home: Path, steps: Sequence[str]) -> None:
    """Check that no file or directory of a task is a symlink to a target outside the task.

    Harbor would upload such a target into the sandbox.

    Args:
        directory: the task's directory, as the user wrote it.
        home: the task's directory with symlinks resolved.
        steps: the names of the task's steps.

    Raises:
        UnsupportedTask: there is such a symlink.
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
