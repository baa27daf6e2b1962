"""Tests of the bash commands that make the files of a `read_reward` case."""

import os
import stat
import subprocess
from pathlib import Path

import pytest

from parity.operations.files.file_states import ABSENT, FileState
from parity.operations.goldens import read_vectors
from parity.operations.read_reward import READ_REWARD, RewardDirectory, only_text
from parity.suite.report.shell import shell_lines

_CASES = [
    *(READ_REWARD.decode(vector.input) for vector in read_vectors("read_reward")),
    *(only_text(content) for content in (b"-n 1", b"--", b"%d\\n%%", b"'", bytes(range(256)), b"\0" * 70, b"%" * 70)),
    RewardDirectory(FileState("unreadable", b"{}"), ABSENT),
    RewardDirectory(ABSENT, FileState("link", b"1\n"), "unsearchable", {"-f": b"", "it's\n": b"\xff"}, "-rf"),
]


def _tree(path: Path) -> object:
    """Return everything at a path: the kinds of files, their content, and the targets of symlinks."""
    if path.is_symlink() and path.readlink() != Path(path.name):
        return "link", _tree(path.parent / path.readlink())
    if not os.path.lexists(path):
        return None
    mode = path.lstat().st_mode
    if not stat.S_IMODE(mode) and not stat.S_ISLNK(mode):
        path.chmod(0o700)
        return "mode 0", _tree(path)
    if stat.S_ISDIR(mode):
        return {each.name: _tree(each) for each in sorted(path.iterdir())}
    return path.read_bytes() if stat.S_ISREG(mode) else stat.S_IFMT(mode)


@pytest.mark.needs("utf-8")
def test_bash_makes_the_files_of_every_case(tmp_path: Path) -> None:
    """The commands for each golden vector, and for unusual bytes, make the directory that a runner would read."""
    script = "".join(
        f"mkdir {number} && cd {number}\n" + "\n".join(shell_lines(case)) + "\ncd ..\n"
        for number, case in enumerate(_CASES)
    )

    subprocess.run(["bash", "-e"], input=script.encode(), cwd=tmp_path, check=True)

    for number, case in enumerate(_CASES):
        with READ_REWARD.arguments(case) as (expected,):
            assert _tree(expected) == _tree(tmp_path / str(number) / case.within / "verifier"), case


def test_commands_are_printable_ascii() -> None:
    """Each command is one line of printable ASCII, whatever the content and the names of the files."""
    lines = [line for case in _CASES for line in shell_lines(case)]

    assert all(line.isascii() and line.isprintable() for line in lines)
