"""Tests for the agent `command` with instructions that are too long for an environment variable."""

import os
import subprocess
from hashlib import sha256
from pathlib import Path

import pytest

from parity.driver.command_instruction import instruction_variables
from tests.needs import need
from tests.run.conftest import ParityRun
from tests.run.tasks import write_task

_LONG = "Do it.\n" * 40_000
_LONGEST = 131_059


@pytest.mark.parametrize(
    ("command", "code", "line"),
    [
        ('cp "$INSTRUCTION_FILE" /app/copy', 0, "reward 1.0"),
        ('echo "$INSTRUCTION" > /app/copy', 1, "ValueError: the instruction is too long for a variable; "
                                               "let the command read $INSTRUCTION_FILE"),
    ],
)  # fmt: skip
def test_long_instruction_is_read_from_its_file(
    here: Path, parity_run: ParityRun, command: str, code: int, line: str
) -> None:
    """A command can read a long instruction from its file, but a command that uses the variable has an error."""
    need("local")
    tests = "sha256sum < /app/copy | cmp - /tests/sum && echo 1 > /logs/verifier/reward.txt"
    task = write_task(here / "task", tests=tests)
    settings = (task / "task.toml").read_text()
    (task / "task.toml").write_text(settings.replace("[agent]", '[agent]\nuser = "agent"'))
    (task / "instruction.md").write_text(_LONG)
    (task / "tests" / "sum").write_text(f"{sha256(_LONG.encode()).hexdigest()}  -\n")

    ran = parity_run("task", "-a", "command", "--ak", f"command={command}")

    assert ran.code == code
    assert line in ran.err[-1]


def test_longest_instruction_fits_into_the_variable() -> None:
    """The longest allowed instruction fits into the variable; one more byte is refused."""
    variables = instruction_variables("work", "x" * _LONGEST)

    subprocess.run(["true"], env={**os.environ, **variables}, check=True)
    with pytest.raises(ValueError, match="too long for a variable"):
        instruction_variables("work", "x" * (_LONGEST + 1))
