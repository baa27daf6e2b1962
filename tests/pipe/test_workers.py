"""Tests that runs with several workers leave no program running."""

import shlex
import sys
from pathlib import Path

import pytest

from tests.running import run_pytest

_ASKED = ["parity.operations.read_reward", "parity.operations.reason_code"]
_SUITE = ["--pyargs", *_ASKED, "--profile", "quick", "-p", "no:cacheprovider"]
_PROGRAM = """
import json, sys
def log(word):
    with open(sys.argv[1], "a") as file:
        file.write(word + "\\n")
log("start")
sys.stdin.readline()
print(json.dumps({"hello": {"name": "x", "operations": ["reason_code", "read_reward"]}}), flush=True)
for line in sys.stdin:
    print(json.dumps({"id": json.loads(line)["id"], "value": None}), flush=True)
log("end")
"""


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """Return the path of the program's log file."""
    return tmp_path / "log"


def arguments(log: Path) -> list[str]:
    """Return the arguments for a run of the suite with the program."""
    program = log.with_name("program.py")
    program.write_text(_PROGRAM)
    return [*_SUITE, "--runner-cmd", shlex.join([sys.executable, "-I", "-S", str(program), str(log)])]


def test_each_worker_ends_its_program(log: Path, tmp_path: Path) -> None:
    """Each worker ends its program, and the main process ends its own one after the hello."""
    run_pytest(*arguments(log), "-n", "2", "-k", "reason_code", cwd=tmp_path)

    handled_lines = log.read_text().split()
    assert handled_lines[:2] == ["start", "end"]
    assert handled_lines.count("start") == handled_lines.count("end") == 3
