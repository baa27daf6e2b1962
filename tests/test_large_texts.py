"""Tests that no reader of the clean room needs more than linear time."""

import subprocess
import sys
from pathlib import Path


def test_readers_take_linear_time() -> None:
    """All readers read texts of 1 MiB within a limit of processor time that a quadratic reader exceeds."""
    command = [sys.executable, "-m", "tests.large_texts"]

    ran = subprocess.run(command, capture_output=True, text=True, cwd=Path(__file__).parents[1], check=False)

    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.splitlines()[-1] == "end"
