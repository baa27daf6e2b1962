"""Scripts with CRLF line ends: their trials have the same errors as in Harbor, and a note has the reason."""

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.end_to_end.engine import TASKS
from tests.needs import need
from tests.run.actions import run
from tests.run.tasks import reward, write_task

_WHY = "lines end with CRLF, and Linux takes the CR for part of a name, of a program or of the reward file"


def _convert(*scripts: Path) -> None:
    for script in scripts:
        script.write_bytes(script.read_bytes().replace(b"\n", b"\r\n"))


def _notes(err: list[str]) -> list[str]:
    return [line for line in err if "CRLF" in line]


@pytest.mark.parametrize("first_line", [b"#!/bin/bash\n", b""], ids=["program", "no-program"])
def test_the_error_its_note_and_the_remedy(here: Path, capfd: pytest.CaptureFixture[str], first_line: bytes) -> None:
    """The note names the script and the command that converts it, and the converted script works."""
    need("local")
    script = write_task(here / "a task", tests="") / "tests" / "test.sh"
    script.write_bytes(first_line + reward(1).encode() + b"\n")
    _convert(script)

    ran = run(capfd, "a task")
    [note] = _notes(ran.err)
    subprocess.run(["bash", "-c", note.rpartition(" with ")[2]], check=True)
    again = run(capfd, "a task")

    assert note == f"note: a task/tests/test.sh: {_WHY}; convert it with sed -i 's/\\r$//' 'a task/tests/test.sh'"
    assert "RewardFileNotFoundError" in ran.out
    assert (ran.code, again.code, _notes(again.err)) == (1, 0, [])


@pytest.mark.usefixtures("scripts")
@pytest.mark.parametrize(
    ("options", "first", "more"),
    [
        ("", "data/one/tests/test.sh", " (and 1 more)"),
        ("--disable-verification", "data/one/solution/solve.sh", ""),
        ("-a nop", "data/one/tests/test.sh", ""),
    ],
)
def test_only_scripts_that_will_run(
    dataset: Path, capfd: pytest.CaptureFixture[str], options: str, first: str, more: str
) -> None:
    """All scripts that will run share one note."""
    _convert(dataset / "one" / "tests" / "test.sh", dataset / "one" / "solution" / "solve.sh")

    ran = run(capfd, dataset, *options.split())

    assert _notes(ran.err) == [f"note: {first}{more}: {_WHY}; convert it with sed -i 's/\\r$//' {first}"]


@pytest.mark.usefixtures("scripts")
def test_scripts_of_steps(here: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Scripts of steps are checked, too."""
    shutil.copytree(TASKS / "multi-step-mean", "task")
    _convert(*Path("task").glob("steps/*/tests/test.sh"))

    ran = run(capfd, "task")

    [note] = _notes(ran.err)
    assert note.startswith("note: task/steps/")
    assert "/tests/test.sh (and 2 more): " in note


@pytest.mark.usefixtures("scripts")
@pytest.mark.parametrize("options", ["-q", "--disable-verification -a nop"])
def test_no_note(dataset: Path, capfd: pytest.CaptureFixture[str], options: str) -> None:
    """No note is shown if it is not wanted, or if no such script runs."""
    _convert(dataset / "one" / "tests" / "test.sh", dataset / "one" / "solution" / "solve.sh")

    ran = run(capfd, dataset, *options.split())

    assert _notes(ran.err) == []
