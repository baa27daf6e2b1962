"""File modes count for a runner that root asks, and for its programs; other rights stay."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from parity.judging.checking import Checker
from parity.operations.files.file_states import ABSENT, FileState
from parity.operations.files.privileges import without_file_privileges
from parity.operations.read_reward import READ_REWARD, RewardFolder
from parity.reference import open_reference
from parity.runners import CleanRoom
from parity.runners.asking import Clock
from parity.scorer import Rewards

_ROOT = Path(__file__).resolve().parent.parent
_IS_ROOT = os.geteuid() == 0


def _cat(path: Path) -> int:
    return subprocess.run(["cat", path], capture_output=True).returncode


def _rights(*command: str) -> list[str]:
    status = subprocess.run([*command, "cat", "/proc/self/status"], capture_output=True, text=True, check=True)
    return [line for line in status.stdout.splitlines() if line.startswith("Cap")]


@pytest.fixture
def unreadable(tmp_path: Path) -> Path:
    """Return a file that may not be read."""
    path = tmp_path / "unreadable"
    path.write_text("1")
    path.chmod(0)
    return path


def test_programs_are_refused_too(unreadable: Path) -> None:
    """A program that is started meanwhile cannot read the file, not even through a shell."""
    with without_file_privileges():
        meanwhile = _cat(unreadable), subprocess.run(f"cat '{unreadable}'", shell=True, capture_output=True).returncode
        with pytest.raises(PermissionError):
            unreadable.read_text()

    assert all(meanwhile)
    assert (_cat(unreadable) == 0) == _IS_ROOT


def test_other_rights_stay(unreadable: Path) -> None:
    """Root keeps its other rights meanwhile, and all rights afterwards."""
    before = _rights()

    with without_file_privileges():
        given_away = subprocess.run(["chown", "1:1", unreadable], capture_output=True).returncode == 0
        meanwhile = _rights()

    assert given_away == _IS_ROOT
    assert (meanwhile == before) == (not _IS_ROOT)
    assert _rights() == before


class _Cats(CleanRoom):
    """A runner that reads reward.txt by a program."""

    name = "cats"

    def read_reward(self, directory: Path) -> Rewards | None:
        read = subprocess.run(["cat", directory / "reward.txt"], capture_output=True, text=True)
        if read.returncode:
            raise PermissionError(read.stderr)
        return {"reward": float(read.stdout)}


@pytest.mark.parametrize("kind", ["unreadable", "file"])
def test_a_runner_that_starts_a_program_is_judged_alike(kind: str) -> None:
    """A runner that reads files by a program agrees, whichever user runs the suite."""
    checker = Checker(open_reference().authorities, _Cats(), Clock(10))
    case = RewardFolder(ABSENT, FileState(kind, b"1"))  # type: ignore[arg-type]

    assert checker.diverges(READ_REWARD, case) is None


_WITHOUT_SETPCAP = """
import ctypes, os, sys
from pathlib import Path
from parity.operations.files import privileges
if os.geteuid() == 0:
    held = privileges._held()
    for which in (0, 1, 2):
        held[which] &= ~(1 << 8)
    privileges._call("capset", privileges._header(), held)
import pytest
sys.exit(pytest.main(["--pyargs", "parity", "-p", "no:cacheprovider", "-k", "smoke", "--profile", "quick"]))
"""


def test_where_programs_are_not_refused_it_is_said(tmp_path: Path) -> None:
    """If root cannot take rights from programs, a line says so, and the suite runs."""
    command = [sys.executable, "-c", _WITHOUT_SETPCAP]

    run = subprocess.run(
        command, capture_output=True, text=True, cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(_ROOT)}
    )

    assert run.returncode == 0, run.stdout + run.stderr
    assert ("programs that the runner starts read also what file modes forbid" in run.stdout) == _IS_ROOT
