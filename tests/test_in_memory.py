"""Temporary files of a run of these tests are in memory, and do not stay there."""

import tempfile
from pathlib import Path

import pytest

from tests import in_memory

_TESTS = """
import tempfile
from pathlib import Path
def test_leaves():
    Path(tempfile.mkdtemp(), "left").touch()
    print(tempfile.gettempdir())
def test_fails():
    assert False
"""


@pytest.fixture
def memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What stands for the system's folder in memory."""
    monkeypatch.delenv("TMPDIR", raising=False)
    monkeypatch.setattr(tempfile, "tempdir", tempfile.gettempdir())
    monkeypatch.setattr(in_memory, "_MEMORY", str(tmp_path))
    return tmp_path


def _run(pytester: pytest.Pytester, *options: str) -> pytest.RunResult:
    pytester.makeconftest("from tests.in_memory import use_memory as pytest_configure")
    pytester.makepyfile(_TESTS)
    return pytester.runpytest_inprocess(*options)


def test_a_run_leaves_nothing(pytester: pytest.Pytester, memory: Path) -> None:
    """But it was there."""
    result = _run(pytester, "-s", "-k", "test_leaves")

    result.stdout.fnmatch_lines([f"*{memory}/parity-tests-*"])
    assert list(memory.iterdir()) == []


def test_what_failed_tests_leave_is_kept(pytester: pytest.Pytester, memory: Path) -> None:
    """And said, since it takes memory."""
    result = _run(pytester)

    (folder,) = memory.iterdir()
    assert len(list(folder.glob("*/left"))) == 1
    result.stdout.fnmatch_lines([f"KEPT in memory: {folder}, *"])


def test_little_memory_is_not_used(pytester: pytest.Pytester, memory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a container, which has 64 MiB."""
    monkeypatch.setattr(in_memory, "_ENOUGH", 1 << 60)

    result = _run(pytester, "-s", "-k", "test_leaves")

    result.stdout.no_fnmatch_line(f"*{memory}/*")
    assert list(memory.iterdir()) == []
