"""A task's folder: its settings, its instructions, and where its scripts are."""

import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from parity.driver.task_config import Step, TaskConfig
from parity.driver.task_file import read_task_file
from parity.driver.task_table import InvalidTask, TaskError, UnsupportedTask

_CANARY = re.compile(r"(?:<!--.*canary.*-->|#.*canary.*)", re.IGNORECASE)


@dataclass(frozen=True)
class Task:
    """A task that can be run."""

    folder: Path
    """Absolute, links resolved."""

    config: TaskConfig

    @property
    def name(self) -> str:
        """As result.json calls it."""
        return self.config.package or self.folder.name

    @property
    def short_name(self) -> str:
        """The name without an organisation."""
        return self.config.package.split("/")[1] if self.config.package else self.folder.name

    @cached_property
    def environment(self) -> Path:
        return self.folder / "environment"

    @cached_property
    def tests(self) -> Path:
        return self.folder / "tests"

    @cached_property
    def solution(self) -> Path:
        return self.folder / "solution"

    def step(self, step: Step) -> Path:
        """A step's folder."""
        return self.folder / "steps" / step.name

    def instruction(self, step: Step | None = None) -> str:
        """What the agent is told, in the whole task or in one step.

        Raises:
            OSError, UnicodeDecodeError: it cannot be read.
        """
        folder = self.folder if step is None else self.step(step)
        return without_canary((folder / "instruction.md").read_text())


def without_canary(text: str) -> str:
    """An instruction without the marker lines at its beginning that keep benchmarks out of training data.

    Blank lines at the beginning, or after the markers, go with them.
    """
    lines = text.split("\n")
    while lines and _CANARY.fullmatch(lines[0].strip()):
        del lines[0]
    while lines and not lines[0].strip():
        del lines[0]
    return "\n".join(lines)


def read_task(folder: Path, *, verified: bool = True) -> Task:
    """A task's folder, if it holds all that running the task takes.

    Args:
        folder: the task's.
        verified: whether its tests are to be run.

    Raises:
        InvalidTask: Harbor would not run it either.
        UnsupportedTask: it asks for something that the driver does not do.
    """
    try:
        home = folder.resolve()
        task = Task(home, read_task_file(folder))
        _check_parts(folder, task, verified=verified)
    except (OSError, RuntimeError) as error:  # a link to itself is a RuntimeError
        raise InvalidTask(folder, f"cannot be read: {error}; make it readable") from None
    return task


def _check_parts(folder: Path, task: Task, *, verified: bool) -> None:
    """Whether all is there, and nothing is elsewhere by a link: Harbor would carry it into the sandbox all the same."""
    if not task.environment.exists():
        raise InvalidTask(folder, "the folder environment is missing; add it, if only empty")
    shared = (task.tests / "test.sh").exists()
    for step in task.config.steps:
        _require(folder, task.step(step) / "instruction.md")
        has_tests = (task.step(step) / "tests" / "test.sh").exists()
        if not (has_tests or shared or task.config.is_separate(step)):
            raise _without_tests(verified)(folder, f"step {step.name} has no steps/{step.name}/tests/test.sh; add it")
    if not task.config.steps:
        _require(folder, task.folder / "instruction.md")
        if not (shared or task.config.is_separate()):
            raise _without_tests(verified)(folder, "tests/test.sh is missing; add it")
        _require_readable(task)
    parts = [task.environment, task.tests, task.solution, task.folder / "instruction.md", task.folder / "steps"]
    for step in task.config.steps:
        own = task.step(step)
        parts += [own, *(own / name for name in ("instruction.md", "tests", "solution", "workdir"))]
    for part in parts:
        if not part.resolve().is_relative_to(task.folder):
            name = part.relative_to(task.folder)
            raise UnsupportedTask(folder, f"{name} is a link that leads out of the task; put there what it leads to")


def _without_tests(verified: bool) -> type[TaskError]:
    """Harbor leaves such a task out; where nothing is verified it takes it instead, and then ends the whole job."""
    return InvalidTask if verified else UnsupportedTask


def _require(folder: Path, path: Path) -> None:
    if not path.exists():
        raise InvalidTask(folder, f"{path.relative_to(folder.resolve())} is missing; add it")


def _require_readable(task: Task) -> None:
    """Harbor reads the instruction before it starts anything."""
    try:
        task.instruction()
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidTask(task.folder, f"instruction.md cannot be read: {error}; make it readable") from None
