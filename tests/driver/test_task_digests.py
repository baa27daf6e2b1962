"""Tests that the digests of a task equal the wheel's, whatever the task's directory contains."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parity.driver.documents.task_digests import content_hash, task_checksum
from parity.operations.files.directories import scratch_directory
from tests.driver import wheel_documents as wheel

_parts = st.sampled_from(
    ["a", "b.pyc", "__pycache__", ".DS_Store", "x~", "ä", " ", "a\nb", "#", "!c", "*", ".git", "a b"]
)
_tops = st.sampled_from(["environment", "tests", "solution", "steps", "other"])
_singles = st.sampled_from(["README.md", "instruction.md", "other.md"])
_names = _singles | st.builds(lambda top, rest: "/".join([top, *rest]), _tops, st.lists(_parts, max_size=3))
_files = st.dictionaries(_names, st.binary())
_PATTERNS = ["*.pyc", "a", "!a", "/tests/a", "**/b.pyc", "environment/", "#", "\\#", "ä", ""]
_patterns = st.lists(st.sampled_from(_PATTERNS))


def _write(home: Path, files: dict[str, bytes]) -> None:
    """Write the files, except those that the file system refuses, such as a file in the place of a directory."""
    (home / "task.toml").write_text("")
    for name, content in files.items():
        path = home / name
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        except OSError:
            continue


def _ours(task: Path) -> tuple[str, str]:
    return content_hash(task), task_checksum(task)


def _harbor(task: Path) -> tuple[str, str]:
    return wheel.content_hash(task), wheel.task_checksum(task)


@pytest.mark.needs("utf-8")
@given(_files, st.none() | _patterns)
def test_digests_equal_those_of_harbor(files: dict[str, bytes], patterns: list[str] | None) -> None:
    """The digests equal the wheel's, even with unusual names or a .gitignore."""
    with scratch_directory() as home:
        _write(home, files)
        if patterns is not None:
            (home / ".gitignore").write_text("\n".join(patterns))

        assert _ours(home) == _harbor(home)


@pytest.fixture
def task(tmp_path: Path) -> Path:
    """Return a task with a file in each directory."""
    home = tmp_path / "task"
    home.mkdir()
    _write(home, {f"{top}/file": b"1" for top in ("environment", "tests", "solution", "steps/one")})
    return home


def _directory_as_link(home: Path) -> None:
    (home / "solution").rename(home / "outside")
    (home / "solution").symlink_to(home / "outside")


def _no_directories(home: Path) -> None:
    for top in ("environment", "tests", "solution"):
        (home / top / "file").unlink()
        (home / top).rmdir()


@pytest.mark.parametrize(
    "change",
    [
        lambda home: (home / "tests" / "link").symlink_to(home / "task.toml"),
        lambda home: (home / "tests" / "link").symlink_to(home / "environment"),
        lambda home: (home / "tests" / "link").symlink_to(home / "nowhere"),
        _directory_as_link,
        lambda home: (home / "environment" / "empty" / "more").mkdir(parents=True),
        _no_directories,
        lambda home: os.mkfifo(home / "environment" / "pipe"),
    ],
    ids=[
        "file link",
        "directory link",
        "dangling link",
        "linked directory",
        "empty directories",
        "no directories",
        "pipe",
    ],
)
def test_symlinks_and_special_files_are_hashed_as_in_harbor(task: Path, change: Callable[[Path], None]) -> None:
    """Symlinks and special files are hashed as in the wheel, without reading pipes; so is a symlink to a task."""
    change(task)
    task.with_name("link").symlink_to(task)

    assert _ours(task) == _harbor(task)
    assert _ours(task.with_name("link")) == _ours(task)


@pytest.mark.parametrize("digest", [content_hash, wheel.content_hash])
def test_directory_in_the_place_of_a_file_is_an_error(task: Path, digest: Callable[[Path], str]) -> None:
    """A directory with the name README.md is an error, because README.md is read as a file."""
    (task / "README.md").mkdir()

    with pytest.raises(IsADirectoryError):
        digest(task)


@pytest.mark.parametrize("digest", [task_checksum, wheel.task_checksum])
def test_circular_symlinks_are_an_error(task: Path, digest: Callable[[Path], str]) -> None:
    """The checksum raises an error for circular symlinks, because it follows symlinks to directories."""
    (task / "tests" / "link").symlink_to(task)

    with pytest.raises(Exception, match="Symlink recursion"):
        digest(task)
