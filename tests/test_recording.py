"""Tests that recording the golden vectors again gives the same files."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

_ROOT = Path(__file__).resolve().parents[1]
_ELSEWHERE = {"PYTHONHASHSEED": "1", "TZ": "Asia/Kathmandu", "LC_ALL": "C"}


@pytest.mark.needs("utf-8")
def test_recording_is_reproducible(tmp_path: Path) -> None:
    """Every byte is as committed, even with another hash seed, time zone, locale, umask and directories."""
    copy, temporary = tmp_path / "élse where" / "copy", tmp_path / "élse where" / "temporary"
    for part in ("parity", "golden"):
        shutil.copytree(_ROOT / part, copy / part)
    shutil.copy(_ROOT / "pyproject.toml", copy)
    temporary.mkdir()

    subprocess.run(
        [
            *(sys.executable, "-m", "pytest", "parity/", "-p", "no:cacheprovider"),
            *("-k", "golden", "--snapshot-update", "-n", "2"),
        ],
        env={**os.environ, **_ELSEWHERE, "PYTHONPATH": str(copy), "TMPDIR": str(temporary)},
        cwd=copy,
        umask=0o077,
        check=True,
        capture_output=True,
    )

    assert _contents(copy / "golden") == _contents(_ROOT / "golden")


def _contents(directory: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in directory.glob("*.json")}
