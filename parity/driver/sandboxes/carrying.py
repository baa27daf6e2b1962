"""Carries files that a foreign program has fetched from a sandbox over to their place on the host.

What it fetched lies in a folder of its own, and is as untrusted as the sandbox: it may hold links to anywhere, pipes,
and any amount. Only files, folders and links that stay within the target arrive.
"""

import os
import shutil
from dataclasses import dataclass
from pathlib import Path

from parity.driver.sandbox import TransferError


@dataclass
class Allowance:
    """What the host still takes."""

    entries: int = 100_000
    bytes: int = 2 << 30
    depth: int = 100

    def take(self, path: Path, size: int, depth: int) -> None:
        """Count one entry of this size.

        Raises:
            TransferError: it is one too many.
        """
        self.entries -= 1
        self.bytes -= size
        if self.entries < 0:
            raise TransferError(f"too many files to carry over, {path.name!r} among them")
        if self.bytes < 0:
            raise TransferError(f"too much to carry over: {path.name!r} of {size} bytes exceeds the rest of the room")
        if depth > self.depth:
            raise TransferError(f"folders are nested too deeply to be carried over, {path.name!r} among them")


def carry_over(source: Path, target: Path, allowance: Allowance | None = None) -> None:
    """Copy what a folder holds into a folder that exists, over what is there.

    Raises:
        TransferError: it is more than the host takes, or cannot be read.
    """
    try:
        _copy_folder(source, target, allowance or Allowance(), 1)
    except OSError as error:
        raise TransferError(f"cannot carry over {error.filename!r}: {error.strerror}") from error
    finally:
        _remove_straying_links(target)


def carry_over_file(source: Path, target: Path, allowance: Allowance | None = None) -> None:
    """Copy one file to a path, over what is there.

    Raises:
        TransferError: it is no file, larger than what the host takes, or cannot be read.
    """
    if source.is_symlink() or not source.is_file():
        raise TransferError(f"{source.name!r} is not a file")
    try:
        _copy_file(source, target, allowance or Allowance(), 1)
    except OSError as error:
        raise TransferError(f"cannot carry over {error.filename!r}: {error.strerror}") from error


def _copy_folder(source: Path, target: Path, allowance: Allowance, depth: int) -> None:
    with os.scandir(source) as entries:
        for entry in entries:
            path, place = Path(entry.path), target / entry.name
            if entry.is_symlink():
                allowance.take(path, 0, depth)
                _clear(place)
                place.symlink_to(path.readlink())
            elif entry.is_dir(follow_symlinks=False):
                allowance.take(path, 0, depth)
                if place.is_symlink() or not place.is_dir():
                    _clear(place)
                    place.mkdir()
                _copy_folder(path, place, allowance, depth + 1)
            elif entry.is_file(follow_symlinks=False):
                _copy_file(path, place, allowance, depth)


def _copy_file(source: Path, target: Path, allowance: Allowance, depth: int) -> None:
    allowance.take(source, source.lstat().st_size, depth)
    _clear(target)
    shutil.copyfile(source, target, follow_symlinks=False)


def _clear(place: Path) -> None:
    """Make room, so that nothing is written through a link that was carried over earlier."""
    if place.is_dir() and not place.is_symlink():
        shutil.rmtree(place)
    else:
        place.unlink(missing_ok=True)


def _remove_straying_links(target: Path) -> None:
    """Where a link leads is known only once everything is in its place, for links may lead through links.

    An absolute link names a place of the sandbox's, so it cannot lead to the same file here.
    """
    root = os.path.realpath(target)
    for folder, folders, files in os.walk(target):
        for path in (Path(folder, name) for name in (*folders, *files)):
            if path.is_symlink() and _strays(path, root):
                path.unlink()


def _strays(link: Path, root: str) -> bool:
    return link.readlink().is_absolute() or not Path(os.path.realpath(link)).is_relative_to(root)
