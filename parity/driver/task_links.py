"""Refuse task folders with pipes or devices, which may never end, links that lead out, or very deep folders."""

import os
import stat
from collections.abc import Sequence
from pathlib import Path

from parity.driver.errors import UnsupportedTask
from parity.scorer.from_disk.files import kind_of_file

_OF_THE_KERNEL = "/dev", "/proc", "/sys"
"""Folders of the kernel, where even regular files may never end."""

_DEPTH = 100
"""The deepest nesting of folders. At some hundreds, Harbor's job ends while it computes the task's digest."""


_PARTS = "environment", "environment/Dockerfile", "tests", "solution", "instruction.md", "steps"
_PARTS_OF_A_STEP = "instruction.md", "tests", "solution", "workdir"


def check_plain(folder: Path, path: Path) -> None:
    """Check that a path in a task's folder is a file or folder, a link to one, or missing.

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
        name = path.relative_to(folder)
        raise UnsupportedTask(folder, f"{name} is {wrong}; put a file in its place, or remove it")


def check_all_plain(folder: Path) -> None:
    """Check that a task's folder has only files and folders, is not too deep, and has no links to folders outside.

    Raises:
        UnsupportedTask: the folder has something else.
        OSError: a folder cannot be read.
    """
    home = folder.resolve()
    for top, folders, files in os.walk(folder, onerror=_raise):
        above = [part for part in top.removeprefix(str(folder)).split("/") if part]
        if len(above) >= _DEPTH and (folders or files):
            raise UnsupportedTask(
                folder, f"{above[0]} has more than {_DEPTH} folders within each other; make it flatter"
            )
        for name in folders + files:
            if stat.S_IFMT(os.lstat(f"{top}/{name}").st_mode) in (stat.S_IFREG, stat.S_IFDIR):
                continue
            path = Path(top, name)
            check_plain(folder, path)
            if path.is_symlink() and path.is_dir() and not path.resolve().is_relative_to(home):
                raise _leads_out(folder, path.relative_to(folder))


def _raise(error: OSError) -> None:
    raise error


def check_links(folder: Path, home: Path, steps: Sequence[str]) -> None:
    """Check that no part of a task is a link that leads out of it: Harbor would still upload it into the sandbox.

    Args:
        folder: the task's folder, as it was named.
        home: the same, resolved.
        steps: names of its steps.

    Raises:
        UnsupportedTask: a part is such a link.
    """
    parts = [*_PARTS]
    for step in steps:
        parts += [f"steps/{step}", *(f"steps/{step}/{name}" for name in _PARTS_OF_A_STEP)]
    for name in parts:
        if not _leads_over_a_link(home, name):
            continue
        try:
            stays = (home / name).resolve().is_relative_to(home)
        except (OSError, RuntimeError) as error:
            raise UnsupportedTask(folder, f"{name} cannot be read: {error}; correct it") from None
        if not stays:
            raise _leads_out(folder, name)


def _leads_out(folder: Path, name: object) -> UnsupportedTask:
    return UnsupportedTask(folder, f"{name} is a link that leads out of the task; replace it with a copy of its target")


def _leads_over_a_link(home: Path, name: str) -> bool:
    return os.path.islink(f"{home}/{name}") or ("/" in name and _leads_over_a_link(home, os.path.dirname(name)))
