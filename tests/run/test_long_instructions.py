"""The agent `command`, and instructions that are too long for a variable."""

import os
import subprocess
from hashlib import sha256
from pathlib import Path

import pytest

from parity.driver.command_instruction import instruction_variables
from tests.needs import need
from tests.run.actions import run
from tests.run.tasks import write_task

_LONG = "Do it.\n" * 40_000
_LONGEST = 131_059


@pytest.fixture
def task(here: Path) -> Path:
    """Return a task for an agent that is not root; copying the instruction to /app/copy is rewarded."""
    need("local")
    tests = "sha256sum < /app/copy | cmp - /tests/sum && echo 1 > /logs/verifier/reward.txt"
    task = write_task(here / "task", tests=tests)
    settings = (task / "task.toml").read_text()
    (task / "task.toml").write_text(settings.replace("[agent]", '[agent]\nuser = "agent"'))
    (task / "instruction.md").write_text(_LONG)
    (task / "tests" / "sum").write_text(f"{sha256(_LONG.encode()).hexdigest()}  -\n")
    return task


def test_a_command_reads_the_file(task: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """The command's user may read the instruction's file."""
    ran = run(capfd, "task", "-a", "command", "--ak", 'command=cp "$INSTRUCTION_FILE" /app/copy')

    assert ran.code == 0
    assert "reward 1.0" in ran.out


def test_a_command_that_does_not(task: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """If the command does not read the file, the trial has an error with the remedy."""
    ran = run(capfd, "task", "-a", "command", "--ak", 'command=echo "$INSTRUCTION" > /app/copy')

    assert ran.code == 1
    assert (
        "ValueError: the instruction is too long for a variable; let the command read $INSTRUCTION_FILE"
    ) in ran.err[-1]


def test_the_longest_that_a_variable_takes() -> None:
    """The longest instruction fits into the variable; one more byte is refused."""
    variables = instruction_variables("work", "x" * _LONGEST)

    subprocess.run(["true"], env={**os.environ, **variables}, check=True)
    with pytest.raises(ValueError, match="too long for a variable"):
        instruction_variables("work", "x" * (_LONGEST + 1))
