"""Tasks of a dataset that cannot be run: each is left out by name, and the others run."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.run.actions import document, run

pytestmark = pytest.mark.usefixtures("scripts")


def _unsupported(task: Path) -> None:
    (task / "task.toml").write_text((task / "task.toml").read_text() + "gpus = 1\n")


_GPU = "data/two: task.toml: environment.gpus is 1, and no sandbox of this driver has any; run the task with harbor"


def test_a_task_that_is_not_supported(dataset: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """It is left out by name, the others run, and the exit code says so; so does a second run."""
    _unsupported(dataset / "two")

    runs = [run(capfd, dataset, "-q", "--job-name", "j") for _ in range(2)]

    assert [(ran.code, ran.err) for ran in runs] == [(1, [f"note: left out, not supported: {_GPU}"])] * 2
    assert f"left out, not supported: {_GPU}" in runs[1].out.splitlines()
    assert document("jobs/j/result.json")["n_total_trials"] == 1


@pytest.mark.parametrize("line", ["data --strict", "data/two", "data -i two"])
def test_a_job_with_nothing_else(dataset: Path, capfd: pytest.CaptureFixture[str], line: str) -> None:
    """Where it may not be left out, or nothing else is to be run, the job is refused."""
    _unsupported(dataset / "two")

    ran = run(capfd, *line.split())

    assert (ran.code, ran.err) == (3, [f"parity run: {_GPU}"])
    assert not Path("jobs").exists()


def _pipe(name: str) -> Callable[[Path], object]:
    def make(task: Path) -> None:
        (task / name).unlink(missing_ok=True)
        os.mkfifo(task / name)

    return make


def _link(name: str, target: str) -> Callable[[Path], object]:
    return lambda task: (task / name).symlink_to(target)


_ENDLESS = {
    "task.toml is a named pipe": _pipe("task.toml"),
    "instruction.md is a named pipe": _pipe("instruction.md"),
    "README.md is a named pipe": _pipe("README.md"),
    ".gitignore is a named pipe": _pipe(".gitignore"),
    "environment/Dockerfile is a named pipe": _pipe("environment/Dockerfile"),
    "tests/test.sh is a named pipe": _pipe("tests/test.sh"),
    "tests/zeros is a device": _link("tests/zeros", "/dev/zero"),
    "tests/log is a link to /proc/kmsg": _link("tests/log", "/proc/kmsg"),
    "tests/all is a link that leads out of the task": _link("tests/all", "/"),
}


@pytest.mark.parametrize("problem", _ENDLESS)
def test_what_would_be_read_for_ever(dataset: Path, capfd: pytest.CaptureFixture[str], problem: str) -> None:
    """It is named in one line, and the other task runs."""
    _ENDLESS[problem](dataset / "two")

    ran = run(capfd, dataset, "-q")

    assert (ran.code, len(ran.err)) == (1, 1)
    assert ran.err[0].startswith(f"note: left out, not supported: data/two: {problem}")
    assert run(capfd, dataset / "two").code == 3
