"""Tests that directories which cannot be run are left out of a dataset and reported, and the other tasks run."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.run.actions import document
from tests.run.conftest import ParityRun
from tests.run.tasks import write_task

pytestmark = pytest.mark.usefixtures("scripts")

_GPU = "data/two: task.toml: environment.gpus is 1, and no sandbox of this driver has any; run the task with harbor"
_NO_ENVIRONMENT = "data/two: environment/ is missing; add it, if only empty"


def _need_a_gpu(task: Path) -> None:
    (task / "task.toml").write_text((task / "task.toml").read_text() + "gpus = 1\n")


def _need_windows(task: Path) -> None:
    (task / "task.toml").write_text('[environment]\nos = "windows"\n')
    (task / "tests" / "test.bat").touch()


@pytest.mark.parametrize(
    ("damage", "note"),
    [
        (_need_a_gpu, f"not supported: {_GPU}"),
        (lambda task: (task / "environment").rmdir(), f"no task: {_NO_ENVIRONMENT}"),
        (lambda task: (task / "instruction.md").unlink(), "no task: data/two: instruction.md is missing; add it"),
        (
            _need_windows,
            "not supported: data/two: task.toml: environment.os is windows, which this driver does not run; "
            "run the task with harbor",
        ),
        (
            lambda task: (task / "task.toml").write_text("a = 1\n" * 200_000),
            "not supported: data/two: task.toml cannot be read: it has more than 1,048,576 characters; make it shorter",
        ),
    ],
)
def test_directory_that_cannot_be_run_is_left_out(
    dataset: Path, parity_run: ParityRun, damage: Callable[[Path], object], note: str
) -> None:
    """A note and the summary report the directory, the other task runs, and the exit code is 1, also on resume."""
    damage(dataset / "two")

    runs = [parity_run(dataset, "-q", "--job-name", "j") for _ in range(2)]

    assert [(ran.code, ran.err) for ran in runs] == [(1, [f"note: left out, {note}"])] * 2
    assert f"left out, {note}" in runs[1].out.splitlines()
    assert "1 trial, 0 errors, 1 task left out, in " in runs[1].out
    assert document("jobs/j/result.json")["n_total_trials"] == 1


@pytest.mark.parametrize("line", ["data --strict", "data/two", "data -i two"])
def test_unsupported_task_that_may_not_be_left_out_is_refused(dataset: Path, parity_run: ParityRun, line: str) -> None:
    """If an unsupported task may not be left out, or is the only one, the job is refused."""
    _need_a_gpu(dataset / "two")

    ran = parity_run(*line.split())

    assert (ran.code, ran.err) == (3, [f"parity run: {_GPU}"])
    assert not Path("jobs").exists()


def test_directory_that_is_left_out_is_counted_once(dataset: Path, parity_run: ParityRun) -> None:
    """Each directory that is left out is counted once, even if there are several reasons."""
    (write_task(dataset / "three", tests="true") / "environment").rmdir()
    toml = dataset / "two" / "task.toml"
    toml.write_text(toml.read_text().replace("no-network", "public"))
    (dataset / "two" / "tests" / "caf\udce9").touch()

    ran = parity_run(dataset, "-q")

    assert (ran.code, len(ran.err)) == (1, 3)
    assert "1 trial, 0 errors, 2 tasks left out, in " in ran.out


def test_strict_reports_every_directory_and_runs_nothing(dataset: Path, parity_run: ParityRun) -> None:
    """With `--strict`, each directory that cannot be run is reported, and nothing runs."""
    _need_a_gpu(write_task(dataset / "three", tests="true"))
    (dataset / "two" / "environment").rmdir()

    ran = parity_run(dataset, "--strict")

    gpu = _GPU.replace("two", "three", 1)
    assert (ran.code, ran.err) == (3, [f"parity run: {_NO_ENVIRONMENT}", f"parity run: {gpu}"])
    assert not Path("jobs").exists()


@pytest.mark.needs("utf-8")
def test_task_that_would_end_the_job_in_harbor_is_refused(dataset: Path, parity_run: ParityRun) -> None:
    """A task that would end the whole job in Harbor is reported, and nothing runs."""
    (dataset / "two" / "task.toml").write_bytes(b"# \xff")

    ran = parity_run(dataset)

    assert (ran.code, len(ran.err)) == (3, 1)
    assert ran.err[0].startswith("parity run: data/two: task.toml cannot be read: 'utf-8' codec can't decode byte 0xff")
    assert not Path("jobs").exists()


@pytest.mark.parametrize(
    ("path", "problem"),
    [
        ("nowhere", "nowhere: No such file or directory; give a directory of tasks, or a task's directory"),
        ("empty", "empty: contains no task; give a directory of tasks, or a task's directory"),
        ("data/one", "data/one: tests/test.sh is missing; add it"),
    ],
)
def test_path_without_a_task_is_refused(dataset: Path, parity_run: ParityRun, path: str, problem: str) -> None:
    """A path without a runnable task is refused in one line."""
    Path("empty").mkdir()
    (dataset / "one" / "tests" / "test.sh").unlink()

    ran = parity_run(path)

    assert (ran.code, ran.err) == (3, [f"parity run: {problem}"])


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
def test_task_with_an_endless_file_is_left_out(dataset: Path, parity_run: ParityRun, problem: str) -> None:
    """A task with files that never end is reported without reading these files, and the other task runs."""
    _ENDLESS[problem](dataset / "two")

    ran = parity_run(dataset, "-q")

    assert (ran.code, len(ran.err)) == (1, 1)
    assert ran.err[0].startswith(f"note: left out, not supported: data/two: {problem}")
