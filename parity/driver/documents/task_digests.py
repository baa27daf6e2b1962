"""The two digests of a task's directory, which show whether a task has changed. Both are SHA-256 in hexadecimal.

A trial's result.json has the checksum of all files in the directory. A job's lock.json has the hash of the files that
would be published. The two mirror Task.checksum in harbor.models.task.task, and harbor.publisher.packager.
"""

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathspec import PathSpec, Pattern

_FILES = "task.toml", "instruction.md", "README.md"
_DIRECTORIES = "environment", "tests", "solution", "steps"
_IGNORED = "__pycache__/", "*.pyc", ".DS_Store", "*.swp", "*.swo", "*~"
"""Patterns for the files that are ignored in a task without .gitignore."""


def task_checksum(task: Path) -> str:
    """Return the digest of the names and contents of all files in a task. Symlinks are followed.

    Empty directories, dangling symlinks, and anything that is neither a file nor a directory are ignored.

    Raises:
        OSError: a file cannot be read.
        scantree.SymlinkRecursionError: symlinks form a loop.
        ValueError: the directory is empty.
    """
    from dirhash import dirhash  # importing dirhash takes a third of the kit's import time

    return str(dirhash(task.expanduser().resolve(), "sha256"))


def content_hash(task: Path) -> str:
    """Return the digest of the paths and contents of the files in a task that would be published.

    Symlinks to directories are not followed. Patterns in the task's .gitignore replace the default patterns.

    Raises:
        OSError: a file cannot be read.
        UnicodeError: a file name or the content of .gitignore is not valid text.
    """
    home = task.expanduser().resolve()
    ignored = _ignored(home)
    total = hashlib.sha256()
    for name in sorted(_publishable_files(home)):
        if not ignored.match_file(name):
            with open(home / name, "rb") as file:
                digest = hashlib.file_digest(file, "sha256").hexdigest()
            total.update(f"{name}\0{digest}\n".encode())
    return total.hexdigest()


def _ignored(home: Path) -> "PathSpec[Pattern]":
    from pathspec import PathSpec

    path = home / ".gitignore"
    return PathSpec.from_lines("gitignore", path.read_text().splitlines() if path.exists() else _IGNORED)


def _publishable_files(home: Path) -> Iterator[str]:
    yield from (name for name in _FILES if (home / name).exists())
    for top in _DIRECTORIES:
        for directory, _, files in os.walk(home / top):
            within = directory.removeprefix(str(home)).lstrip("/")
            yield from (f"{within}/{name}" for name in files if Path(directory, name).is_file())
