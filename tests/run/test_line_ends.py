"""Scripts with CRLF line ends: their trials have the same errors as in Harbor, and a note has the reason."""

import subprocess
from pathlib import Path

import pytest

from tests.needs import need
from tests.run.conftest import ParityRun
from tests.run.tasks import reward, write_task

_WHY = "lines end with CRLF, and Linux takes the CR for part of a name, of a program or of the reward file"


def _notes(err: list[str]) -> list[str]:
    return [line for line in err if "CRLF" in line]


@pytest.mark.parametrize("first_line", [b"#!/bin/bash\r\n", b""], ids=["program", "no-program"])
def test_note_has_the_command_that_mends_the_script(here: Path, parity_run: ParityRun, first_line: bytes) -> None:
    """The note names the script and the command that converts it, and the converted script works."""
    need("local")
    script = write_task(here / "a task", tests="") / "tests" / "test.sh"
    script.write_bytes(first_line + reward(1).encode() + b"\r\n")

    ran = parity_run("a task")
    [note] = _notes(ran.err)
    subprocess.run(["bash", "-c", note.rpartition(" with ")[2]], check=True)
    again = parity_run("a task")

    assert note == f"note: a task/tests/test.sh: {_WHY}; convert it with sed -i 's/\\r$//' 'a task/tests/test.sh'"
    assert "RewardFileNotFoundError" in ran.out
    assert (ran.code, again.code, _notes(again.err)) == (1, 0, [])


_TESTS, _SOLUTION, _STEP = "data/one/tests/test.sh", "data/one/solution/solve.sh", "data/two/steps/a/tests/test.sh"


@pytest.mark.usefixtures("scripts")
@pytest.mark.parametrize(
    ("options", "first", "more"),
    [
        ("", _TESTS, " (and 2 more)"),
        ("--disable-verification", _SOLUTION, ""),
        ("-a nop", _TESTS, " (and 1 more)"),
        ("-a nop -i two", _STEP, ""),
        ("-a nop --disable-verification", None, ""),
        ("-q", None, ""),
    ],
)
def test_note_counts_the_scripts_that_will_run(
    dataset: Path, parity_run: ParityRun, options: str, first: str | None, more: str
) -> None:
    """All scripts that will run, those of steps too, share one note; `--quiet` shows none."""
    with (dataset / "two" / "task.toml").open("a") as toml:
        toml.write('[[steps]]\nname = "a"\n')
    Path(_STEP).parent.mkdir(parents=True)
    (dataset / "two" / "steps" / "a" / "instruction.md").touch()
    for script in (_TESTS, _SOLUTION, _STEP):
        Path(script).write_bytes(b"true\r\n")

    ran = parity_run(dataset, *options.split())

    assert _notes(ran.err) == (
        [f"note: {first}{more}: {_WHY}; convert it with sed -i 's/\\r$//' {first}"] if first else []
    )
