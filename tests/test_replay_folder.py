"""Tests for the directory of replay files: it has those from the last run, and is excluded from version control."""

from pathlib import Path

import pytest

from parity.operations.answers import Value
from parity.operations.reason_code import REASON_CODE, ErrorText
from parity.suite.replay import ReplayError, read_replay, remove_replays, write_replay
from tests.running import Run


def _write(directory: Path, text: str) -> Path:
    return write_replay("reason_code", REASON_CODE.encode(ErrorText(text)), Value("x"), directory)


def test_new_directory_is_excluded_from_version_control(tmp_path: Path) -> None:
    """A new directory gets a .gitignore, and an existing directory is not changed."""
    _write(tmp_path / "made", "a")
    _write(tmp_path, "a")

    assert (tmp_path / "made" / ".gitignore").read_text() == "*\n"
    assert not (tmp_path / ".gitignore").exists()


def test_only_replay_files_are_removed(tmp_path: Path) -> None:
    """Replay files are removed, and other files are kept."""
    path = _write(tmp_path, "a")
    others = [tmp_path / "notes.json", tmp_path / "reason_code-mine.json"]
    for each in others:
        each.write_text("{}")

    assert read_replay(path).case == ErrorText("a")
    remove_replays(tmp_path)

    assert sorted(tmp_path.iterdir()) == others


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "not JSON: "),
        ("[]", "not a replay file of format "),
        ('{"format": 1}', "the content does not match its sha256; run the suite to write the file again"),
        ('{"format": 1, "x": 1e999}', "not JSON: "),
        ("edited", "the content does not match its sha256; run the suite to write the file again"),
    ],
)
def test_damaged_replay_file_is_refused(content: str, message: str, tmp_path: Path) -> None:
    """A damaged or edited replay file is refused in one line."""
    path = _write(tmp_path, "a")
    path.write_text(path.read_text().replace("reason_code", "aggregate") if content == "edited" else content)

    with pytest.raises(ReplayError) as refused:
        read_replay(path)

    assert str(refused.value).startswith(f"{path}: {message}")


def test_run_removes_the_replay_files_of_the_last_run(tmp_path: Path, run: Run) -> None:
    """A run removes the replay files from the last run, unless it replays a case or only collects."""
    directory = tmp_path / ".parity"
    paths = [_write(directory, str(number)) for number in range(3)]

    replayed = run("--pyargs", "parity", "--replay", str(paths[0]), "-q")
    run("--pyargs", "parity", "--profile", "quick", "-k", "smoke", "--collect-only", "-q")
    before = len(list(directory.glob("*.json")))
    run("--pyargs", "parity", "--profile", "quick", "-k", "smoke", "-q")

    assert replayed.returncode == pytest.ExitCode.OK
    assert before == 3
    assert list(directory.glob("*.json")) == []
