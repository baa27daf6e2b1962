"""Temporary files of a run of these tests are in memory, and do not stay there."""

import os
import subprocess
import sys
from pathlib import Path

_CONFTEST = """
from tests import in_memory
in_memory._MEMORY, in_memory._ENOUGH = {memory!r}, {enough}
pytest_configure = in_memory.use_memory
"""
_TESTS = """
import tempfile
from pathlib import Path
def test_leaves():
    Path(tempfile.mkdtemp(), "left").touch()
    print("in", tempfile.gettempdir())
def test_fails():
    assert False
"""


def _run(folder: Path, *options: str, enough: int = 0) -> tuple[Path, str]:
    """What stands for the system's folder in memory, and what a run printed that may use it."""
    memory = folder / "memory"
    memory.mkdir()
    (folder / "conftest.py").write_text(_CONFTEST.format(memory=str(memory), enough=enough))
    (folder / "test_files.py").write_text(_TESTS)
    environment = {name: value for name, value in os.environ.items() if name != "TMPDIR"}
    command = [sys.executable, "-m", "pytest", "-s", *options]
    run = subprocess.run(command, capture_output=True, text=True, cwd=folder, env=environment)  # they go when it ends
    assert run.stderr == ""
    return memory, run.stdout


def test_a_run_leaves_nothing(replays: Path) -> None:
    """But it was there."""
    memory, printed = _run(replays, "-k", "test_leaves")

    assert f"in {memory}/parity-tests-" in printed
    assert list(memory.iterdir()) == []


def test_what_failed_tests_leave_is_kept(replays: Path) -> None:
    """And said, since it takes memory."""
    memory, printed = _run(replays)

    (folder,) = memory.iterdir()
    assert len(list(folder.glob("*/left"))) == 1
    assert f"KEPT in memory: {folder}, " in printed


def test_little_memory_is_not_used(replays: Path) -> None:
    """As in a container, which has 64 MiB."""
    memory, printed = _run(replays, "-k", "test_leaves", enough=1 << 60)

    assert f"in {memory}" not in printed
    assert list(memory.iterdir()) == []
