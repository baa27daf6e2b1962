"""Folders of a dataset that cannot be run are left out by name, and the others run."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.run.actions import document, run
from tests.run.tasks import write_task

pytestmark = pytest.mark.usefixtures("scripts")


def _unsupported(task: Path) -> None:
    (task / "task.toml").write_text((task / "task.toml").read_text() + "gpus = 1\n")


_GPU = "data/two: task.toml: environment.gpus is 1, and no sandbox of this driver has any; run the task with harbor"


def test_a_task_that_is_not_supported(dataset: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """An unsupported task is left out by name, the others run, and the exit code is 1, also in a second run."""
    _unsupported(dataset / "two")

    runs = [run(capfd, dataset, "-q", "--job-name", "j") for _ in range(2)]

    assert [(ran.code, ran.err) for ran in runs] == [(1, [f"note: left out, not supported: {_GPU}"])] * 2
    assert f"left out, not supported: {_GPU}" in runs[1].out.splitlines()
    assert document("jobs/j/result.json")["n_total_trials"] == 1


@pytest.mark.parametrize("line", ["data --strict", "data/two", "data -i two"])
def test_a_job_with_nothing_else(dataset: Path, capfd: pytest.CaptureFixture[str], line: str) -> None:
    """If an unsupported task may not be left out, or is the only one, the job is refused."""
    _unsupported(dataset / "two")

    ran = run(capfd, *line.split())

    assert (ran.code, ran.err) == (3, [f"parity run: {_GPU}"])
    assert not Path("jobs").exists()


_NO_ENVIRONMENT = "data/two: the folder environment is missing; add it, if only empty"


@pytest.mark.parametrize("option", [(), ("--quiet",)], ids=["plain", "quiet"])
@pytest.mark.parametrize(
    ("part", "reason"),
    [("environment", _NO_ENVIRONMENT), ("instruction.md", "data/two: instruction.md is missing; add it")],
)
def test_a_folder_that_is_no_task(
    dataset: Path, capfd: pytest.CaptureFixture[str], part: str, reason: str, option: tuple[str, ...]
) -> None:
    """A folder that is not a task is named in a note and in the summary, and the exit code is 1."""
    _remove(dataset / "two" / part)

    runs = [run(capfd, dataset, "--job-name", "j", *option) for _ in range(2)]

    assert [(ran.code, ran.err[0]) for ran in runs] == [(1, f"note: left out, no task: {reason}")] * 2
    for ran in runs:
        assert f"left out, no task: {reason}" in ran.out.splitlines()
        assert "1 trial, 0 errors, 1 task left out, in " in ran.out
    assert document("jobs/j/result.json")["n_total_trials"] == 1


def test_folders_are_counted_once(dataset: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Each folder that is left out counts once, however many reasons it has."""
    write_task(dataset / "three", tests="true")
    _remove(dataset / "three" / "environment")
    toml = dataset / "two" / "task.toml"
    toml.write_text(toml.read_text().replace("no-network", "public"))
    (dataset / "two" / "tests" / "caf\udce9").touch()

    ran = run(capfd, dataset, "-q")

    assert (ran.code, len(ran.err)) == (1, 3)
    assert "1 trial, 0 errors, 2 tasks left out, in " in ran.out


def test_nothing_runs_under_strict(dataset: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """With `--strict`, each folder that cannot be run is named, and nothing runs."""
    write_task(dataset / "three", tests="true")
    _remove(dataset / "two" / "environment")

    first = run(capfd, dataset, "--strict")
    _unsupported(dataset / "three")
    second = run(capfd, dataset, "--strict")

    gpu = _GPU.replace("two", "three", 1)
    assert (first.code, first.err) == (3, [f"parity run: {_NO_ENVIRONMENT}"])
    assert (second.code, second.err) == (3, [f"parity run: {_NO_ENVIRONMENT}", f"parity run: {gpu}"])
    assert not Path("jobs").exists()


def _remove(path: Path) -> None:
    path.rmdir() if path.is_dir() else path.unlink()


def test_a_task_toml_that_would_take_minutes(dataset: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """A task.toml that would take minutes is not read, and the other task runs."""
    with (dataset / "two" / "task.toml").open("a") as file:
        file.write("a = 1\n" * 200_000)

    ran = run(capfd, dataset, "-q")

    what = "task.toml cannot be read: it has more than 1,048,576 characters; make it shorter"
    assert (ran.code, ran.err) == (1, [f"note: left out, not supported: data/two: {what}"])


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
    """A task with files that never end is named in one line, and the other task runs."""
    _ENDLESS[problem](dataset / "two")

    ran = run(capfd, dataset, "-q")

    assert (ran.code, len(ran.err)) == (1, 1)
    assert ran.err[0].startswith(f"note: left out, not supported: data/two: {problem}")
    assert run(capfd, dataset / "two").code == 3
