"""Functions that write datasets with one mistake each."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from parity.harbor_env import Mistake

HUGE = 2**70


@dataclass(frozen=True)
class WrongDataset:
    """A dataset with a mistake, and the message about it; `{data}` stands for its folder."""

    write: Callable[[Path], object]
    mistake: Mistake
    message: str
    scoring: str = "documented"
    tasks: tuple[str, ...] | None = None


def write_task(data: Path, toml: str | bytes = "", name: str = "task", instruction: bytes = b"Do it.\n") -> Path:
    """Write a task's folder into the dataset, and return it."""
    folder = data / name
    folder.mkdir(parents=True)
    (folder / "task.toml").write_bytes(toml if isinstance(toml, bytes) else toml.encode())
    (folder / "instruction.md").write_bytes(instruction)
    (folder / "tests").mkdir()
    (folder / "environment").mkdir()
    (folder / "tests" / "test.sh").write_text("true\n")
    return folder


def leads_out(name: str) -> Callable[[Path], object]:
    """Return a writer of a task with a link of this name that leads out of the task."""

    def write(data: Path) -> None:
        folder = write_task(data)
        elsewhere = data.parent / "elsewhere"
        (folder / name).rename(elsewhere) if (folder / name).exists() else elsewhere.mkdir()
        (folder / name).symlink_to(elsewhere)

    return write


def builds(name: str, text: str) -> Callable[[Path], object]:
    """Return a writer of a task with this file in its environment."""

    def write(data: Path) -> None:
        environment = write_task(data) / "environment"
        (environment / name).write_text(text)

    return write


def lacks(*names: str) -> Callable[[Path], object]:
    """Return a writer of two folders: a task, and a folder `task` that lacks these files."""

    def write(data: Path) -> None:
        write_task(data, name="other")
        folder = write_task(data)
        for name in names:
            (folder / name).unlink()

    return write


def without_tests(data: Path) -> None:
    """Write a task without test script."""
    (write_task(data) / "tests" / "test.sh").unlink()


def says(toml: str | bytes, name: str = "task") -> Callable[[Path], object]:
    """Return a writer of a task with this task.toml."""
    return lambda data: write_task(data, toml, name)


def say(*tomls: str) -> Callable[[Path], object]:
    """Return a writer of tasks with these task.toml files."""
    return lambda data: [write_task(data, toml, f"task-{number}") for number, toml in enumerate(tomls)]


def has_folder(name: str) -> Callable[[Path], object]:
    """Return a writer of a task with a folder in place of this file."""

    def write(data: Path) -> None:
        folder = write_task(data)
        (folder / name).unlink()
        (folder / name).mkdir()

    return write


def has_pipe(data: Path) -> None:
    """Write a task whose task.toml is a named pipe."""
    folder = write_task(data)
    (folder / "task.toml").unlink()
    os.mkfifo(folder / "task.toml")
