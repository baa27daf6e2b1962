"""The two digests of a task's folder, which say whether a task has changed. Both are SHA-256 in hexadecimal.

result.json of a trial has the checksum of all that the folder holds; lock.json of a job has the hash of what would be
published of it. They mirror Task.checksum of harbor.models.task.task and harbor.publisher.packager.
"""

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathspec import PathSpec, Pattern

_FILES = "task.toml", "instruction.md", "README.md"
_FOLDERS = "environment", "tests", "solution", "steps"
_IGNORED = "__pycache__/", "*.pyc", ".DS_Store", "*.swp", "*.swo", "*~"
"""What is ignored where the task has no .gitignore."""


def task_folder(task: Path) -> Path:
    """Where a task lies, links and `~` resolved; its last part is the name that lock.json has."""
    return task.expanduser().resolve()


def task_checksum(task: Path) -> str:
    """Digest of all files of a task, by name and content; links count as what they lead to.

    Empty folders, links that lead nowhere, and what is neither file nor folder do not count.

    Raises:
        OSError: a file cannot be read.
        scantree.SymlinkRecursionError: links lead in a circle.
        ValueError: the folder holds nothing.
    """
    from dirhash import dirhash  # which takes a third of the time to import the kit

    return str(dirhash(task_folder(task), "sha256"))


def content_hash(task: Path) -> str:
    """Digest of the files of a task that would be published, each by its path and its own digest.

    Links to folders are not followed, and patterns in the task's .gitignore replace the usual ones.

    Raises:
        OSError: a file cannot be read.
        UnicodeError: a name or .gitignore is no text.
    """
    home = task_folder(task)
    ignored = _ignored(home)
    total = hashlib.sha256()
    for name in sorted(_names(home)):
        if not ignored.match_file(name):
            with open(home / name, "rb") as file:
                digest = hashlib.file_digest(file, "sha256").hexdigest()
            total.update(f"{name}\0{digest}\n".encode())
    return total.hexdigest()


def _ignored(home: Path) -> "PathSpec[Pattern]":
    from pathspec import PathSpec

    path = home / ".gitignore"
    return PathSpec.from_lines("gitignore", path.read_text().splitlines() if path.exists() else _IGNORED)


def _names(home: Path) -> Iterator[str]:
    """Paths from the task's folder, with slashes."""
    yield from (name for name in _FILES if (home / name).exists())
    for top in _FOLDERS:
        for folder, _, files in os.walk(home / top):
            paths = (Path(folder, name) for name in files)
            yield from (path.relative_to(home).as_posix() for path in paths if path.is_file())
