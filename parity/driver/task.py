"""A task's directory: its settings, its instructions, and the paths of its scripts."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import dropwhile
from pathlib import Path

from parity.driver.documents.task_digests import content_hash, task_checksum
from parity.driver.errors import FatalTask, InvalidTask, TaskError
from parity.driver.task_file import check_supported, read_task_file
from parity.driver.task_links import check_all_plain, check_links
from parity.formats.task import TaskConfig, TaskStep

_CANARY = re.compile("canary", re.IGNORECASE)


@dataclass(frozen=True)
class Task:
    """A task that can be run."""

    path: Path
    """The task's directory, as the user wrote it."""

    directory: Path
    """Absolute path of the task's directory, with symlinks resolved."""

    config: TaskConfig

    @property
    def name(self) -> str:
        """The task's name in result.json."""
        # Rule: run-trial/task-name
        return self.config.task.name if self.config.task else self.directory.name

    @property
    def short_name(self) -> str:
        """The task's name without an organisation."""
        return self.config.task.name.split("/")[1] if self.config.task else self.directory.name

    @cached_property
    def checksum(self) -> str:
        """The digest of all files in the directory; see `task_checksum`."""
        return task_checksum(self.path)

    @cached_property
    def content_hash(self) -> str:
        """The digest of the files that would be published; see `content_hash`."""
        return content_hash(self.path)

    @property
    def environment(self) -> Path:
        return self.directory / "environment"

    @property
    def tests(self) -> Path:
        return self.directory / "tests"

    def step(self, step: TaskStep) -> Path:
        """Return a step's directory."""
        return self.directory / "steps" / step.name

    def of_step_or_task(self, name: str, step: TaskStep | None) -> Path:
        """Return the directory with this name in the step, or in the task if there is no step or the step lacks it."""
        own = None if step is None else self.step(step) / name
        return own if own is not None and own.exists() else self.directory / name

    def instruction(self, step: TaskStep | None = None) -> str:
        """Return the instruction for the agent, for the whole task or for one step.

        Raises:
            OSError, UnicodeDecodeError: the instruction cannot be read.
        """
        directory = self.directory if step is None else self.step(step)
        return without_canary((directory / "instruction.md").read_text())


def without_canary(text: str) -> str:
    """Remove the marker lines at the beginning of an instruction, which keep benchmarks out of training data.

    Blank lines at the beginning and after the marker lines are also removed.
    """
    lines = text.split("\n")
    # Rule: run-trial/instruction
    first = next((number for number, line in enumerate(lines) if not _is_marker(line.strip())), len(lines))
    rest = dropwhile(lambda line: not line.strip(), lines[first:])
    return "\n".join(rest)


def _is_marker(line: str) -> bool:
    """Return whether a line is a comment of Markdown or of a script that contains the word."""
    is_comment = line.startswith("<!--") and line.endswith("-->") and len(line) >= len("<!---->")
    inside = line[4:-3] if is_comment else line[1:] if line.startswith("#") else ""
    return _CANARY.search(inside) is not None


def read_task(directory: Path, *, verified: bool = True, in_dataset: bool = False) -> Task:
    """Read a task's directory, and check that the task can be run.

    Args:
        directory: the task's directory.
        verified: whether the task's tests are to be run.
        in_dataset: whether the directory is in a dataset. There, Harbor requires a task to have `environment/`; a task
            that a job lists directly does not need it.

    Raises:
        InvalidTask: the directory is not a task for Harbor either.
        FatalTask: the task makes Harbor's job end with an error.
        UnsupportedTask: the task needs something that the driver does not support.
    """
    try:
        home = directory.resolve()
        if in_dataset and not (home / "environment").exists():
            raise InvalidTask(directory, "environment/ is missing; add it, if only empty")
        task = Task(directory, home, read_task_file(directory))
        has_links = check_all_plain(directory, home)
        _check_parts(task, verified=verified)
    except (OSError, RuntimeError) as error:  # a link to itself is a RuntimeError
        raise FatalTask(directory, f"cannot be read: {error}; make it readable") from None
    check_supported(directory, task.config)
    if has_links:
        check_links(directory, home, [step.name for step in task.config.steps])
    return task


def _check_parts(task: Task, *, verified: bool) -> None:
    """Check that all files that the task needs exist, in the order in which Harbor looks for them.

    If verification is disabled, Harbor accepts a task without tests, but its job later ends with an error.
    """
    steps: Sequence[TaskStep | None] = task.config.steps or (None,)
    for step in steps:
        instruction = f"{_within(step)}instruction.md"
        if not (task.directory / instruction).exists():
            raise InvalidTask(task.path, f"{instruction} is missing; add it")
        if verified:
            _require_tests(task, step, InvalidTask)
    if not verified:
        for step in steps:
            _require_tests(task, step, FatalTask)
    if not task.config.steps:  # Harbor reads the instruction before it starts a trial
        try:
            task.instruction()
        except (OSError, UnicodeDecodeError) as error:
            raise FatalTask(task.path, f"instruction.md cannot be read: {error}; make it readable") from None


def _within(step: TaskStep | None) -> str:
    """Return a prefix for paths in a step's directory; "" for paths in the task's directory."""
    return "" if step is None else f"steps/{step.name}/"


def _require_tests(task: Task, step: TaskStep | None, error: type[TaskError]) -> None:
    script = "test.bat" if task.config.environment.os == "windows" else "test.sh"
    names = dict.fromkeys(f"{within}tests/{script}" for within in (_within(step), ""))
    if not task.config.is_separate(step) and not any((task.directory / name).exists() for name in names):
        what = f"{' and '.join(names)} are missing; add one" if step else f"tests/{script} is missing; add it"
        raise error(task.path, what)
