"""The digests of a task are the wheel's, for any content of its folder."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parity.driver.documents.task_digests import content_hash, task_checksum
from parity.operations.files.folders import scratch_folder
from tests import wheel_documents as wheel

_parts = st.sampled_from(
    ["a", "b.pyc", "__pycache__", ".DS_Store", "x~", "ä", " ", "a\nb", "#", "!c", "*", ".git", "a b"]
)
_tops = st.sampled_from(["environment", "tests", "solution", "steps", "other"])
_singles = st.sampled_from(["README.md", "instruction.md", "other.md"])
_names = _singles | st.builds(lambda top, rest: "/".join([top, *rest]), _tops, st.lists(_parts, max_size=3))
_files = st.dictionaries(_names, st.binary())
_patterns = st.lists(st.sampled_from(["*.pyc", "a", "!a", "/tests/a", "**/b.pyc", "environment/", "#", "\\#", "ä", ""]))


def _write(home: Path, files: dict[str, bytes]) -> None:
    """Write the files that can be written, except those in the place of a folder."""
    (home / "task.toml").write_text("")
    for name, content in files.items():
        path = home / name
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        except OSError:
            continue


@pytest.mark.needs("utf-8")
@given(_files, st.none() | _patterns)
def test_digests_are_those_of_harbor(files: dict[str, bytes], patterns: list[str] | None) -> None:
    """Digests equal the wheel's, for odd names and with a .gitignore."""
    with scratch_folder() as home:
        _write(home, files)
        if patterns is not None:
            (home / ".gitignore").write_text("\n".join(patterns))

        same = (wheel.content_hash(home), wheel.task_checksum(home)) == (content_hash(home), task_checksum(home))

    assert same


@pytest.fixture
def task(tmp_path: Path) -> Path:
    """Return a task with a file in each folder."""
    home = tmp_path / "task"
    home.mkdir()
    _write(home, {f"{top}/file": b"1" for top in ("environment", "tests", "solution", "steps/one")})
    return home


def _link_to_file(home: Path) -> None:
    (home / "tests" / "link").symlink_to(home / "task.toml")


def _link_to_folder(home: Path) -> None:
    (home / "tests" / "link").symlink_to(home / "environment")


def _folder_as_link(home: Path) -> None:
    (home / "outside").mkdir()
    (home / "outside" / "file").write_text("2")
    (home / "more").mkdir()
    (home / "solution" / "file").unlink()
    (home / "solution").rmdir()
    (home / "solution").symlink_to(home / "outside")


def _empty_folders(home: Path) -> None:
    (home / "environment" / "empty" / "more").mkdir(parents=True)


def _no_folders(home: Path) -> None:
    for top in ("environment", "tests", "solution"):
        (home / top / "file").unlink()
        (home / top).rmdir()


def _link_to_nowhere(home: Path) -> None:
    (home / "tests" / "link").symlink_to(home / "nowhere")


def _pipe(home: Path) -> None:
    os.mkfifo(home / "environment" / "pipe")


_changes = [_link_to_file, _link_to_folder, _link_to_nowhere, _folder_as_link, _empty_folders, _no_folders, _pipe]


@pytest.mark.parametrize("change", _changes)
def test_links_and_what_is_no_file_count_as_in_harbor(task: Path, change: Callable[[Path], None]) -> None:
    """Links and special files count as in the wheel, and no pipe is waited for."""
    change(task)

    digests = content_hash(task), task_checksum(task)

    assert digests == (wheel.content_hash(task), wheel.task_checksum(task))


def test_a_task_may_be_named_through_a_link(task: Path, tmp_path: Path) -> None:
    """A link to a task has the digests of its target."""
    (tmp_path / "link").symlink_to(task)

    digests = content_hash(tmp_path / "link"), task_checksum(tmp_path / "link")

    assert digests == (content_hash(task), task_checksum(task))


@pytest.mark.parametrize("digest", [content_hash, wheel.content_hash])
def test_a_folder_in_the_place_of_a_file_is_an_error(task: Path, digest: Callable[[Path], str]) -> None:
    """A folder named README.md is an error, because it is read as a file."""
    (task / "README.md").mkdir()

    with pytest.raises(IsADirectoryError):
        digest(task)


@pytest.mark.parametrize("digest", [task_checksum, wheel.task_checksum])
def test_links_in_a_circle_have_no_checksum(task: Path, digest: Callable[[Path], str]) -> None:
    """Links in a circle are an error of the checksum, which follows links to folders."""
    (task / "tests" / "link").symlink_to(task)

    with pytest.raises(Exception, match="Symlink recursion"):
        digest(task)
