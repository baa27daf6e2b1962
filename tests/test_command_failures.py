"""Tests for failures of the kit itself in `parity`."""

import subprocess
import sys
from pathlib import Path

import pytest

from parity.command.exit_code import ExitCode


@pytest.mark.parametrize(
    ("mistake", "last_line"),
    [
        ("1 / 0", "ZeroDivisionError: division by zero"),
        (
            "import nowhere",
            "parity: No module named 'nowhere'; install harbor-parity again, with what it depends on",
        ),
    ],
    ids=["a mistake", "an incomplete installation"],
)
def test_mistake_in_the_kit_has_its_own_exit_code(mistake: str, last_line: str, tmp_path: Path) -> None:
    """A bug in the kit has its own exit code; an incomplete installation is reported in one line."""
    program = f"""
import runpy, sys
from parity.command import explain

def broken(arguments):
    {mistake}

explain.run = broken
sys.argv = ["parity", "explain", "read_reward"]
runpy.run_module("parity", run_name="__main__")
"""

    ran = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True)

    *before, last = ran.stderr.splitlines()
    assert ran.returncode == ExitCode.UNJUDGED, ran.stderr
    assert last == last_line
    assert bool(before) == last_line.startswith("ZeroDivisionError")
