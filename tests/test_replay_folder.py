"""The folder of replay files is limited in size, and excluded from version control."""

import os
from pathlib import Path

import pytest

from parity.judging.replay import read_replay, remove_old_replays, write_replay
from parity.operations.answers import Value
from parity.operations.reason_code import REASON_CODE, ErrorText


def _write(folder: Path, text: str) -> Path:
    return write_replay("reason_code", REASON_CODE.encode(ErrorText(text)), Value("x"), folder)


def test_a_folder_that_is_made_is_left_out_of_version_control(tmp_path: Path) -> None:
    """A new folder gets a .gitignore; an existing folder is not changed."""
    _write(tmp_path / "made", "a")
    _write(tmp_path, "a")

    assert (tmp_path / "made" / ".gitignore").read_text() == "*\n"
    assert not (tmp_path / ".gitignore").exists()


def test_the_last_hundred_stay(tmp_path: Path) -> None:
    """The newest hundred replay files stay, and so do other files."""
    paths = [_write(tmp_path, str(number)) for number in range(103)]
    for age, path in enumerate(paths):
        os.utime(path, ns=(age, age))
    others = [tmp_path / "notes.json", tmp_path / "reason_code-mine.json"]
    for path in others:
        path.write_text("{}")
        os.utime(path, ns=(0, 0))

    remove_old_replays(tmp_path)

    assert sorted(tmp_path.iterdir()) == sorted([*others, *paths[3:]])
    assert read_replay(paths[3]).case == ErrorText("3")


def test_a_run_tidies_up(pytester: pytest.Pytester) -> None:
    """A run removes old replay files at its beginning, unless it replays a case."""
    folder = pytester.path / ".parity"
    paths = [_write(folder, str(number)) for number in range(101)]
    for age, path in enumerate(paths):
        os.utime(path, ns=(age, age))

    replayed = pytester.inline_run("--pyargs", "parity", "--replay", str(paths[0]), "-q")
    after_replaying = len(list(folder.glob("*.json")))
    pytester.inline_run("--pyargs", "parity", "--profile", "quick", "-k", "smoke", "--collect-only", "-q")

    assert replayed.ret == pytest.ExitCode.OK
    assert after_replaying == 101
    assert sorted(folder.glob("*.json")) == sorted(paths[1:])
