"""What can be seen without running a task: its task.toml, field by field, and whether Harbor takes it at all."""

from collections.abc import Iterator
from difflib import get_close_matches
from pathlib import Path

from parity.driver.task import read_task
from parity.driver.task_file import read_task_file
from parity.driver.task_table import FatalTask, Note, TaskError, UnsupportedTask
from parity.lint.findings import Finding


def check_files(task: Path) -> Iterator[Finding]:
    """What is wrong with the files of a task.

    Args:
        task: its folder.
    """
    notes: list[Note] = []
    try:
        read_task_file(task, notes)
        yield from (_finding(task, note) for note in notes)
        read_task(task)
    except UnsupportedTask as error:
        yield Finding(task, "not-run", error.what)
    except FatalTask as error:
        yield Finding(task, "ends-the-job", error.what)
    except TaskError as error:
        yield Finding(task, "refused", error.what)


def _finding(task: Path, note: Note) -> Finding:
    if note.known:
        name = note.key.rpartition(".")[2]
        meant = get_close_matches(name, note.known, 1)
        hint = f", perhaps for {meant[0]}" if meant else ""
        return Finding(task, "ignored-key", f"task.toml: {note.key} is no key of Harbor's{hint}")
    return Finding(task, "converted-value", f"task.toml: {note.key} is {note.value!r}, read as {note.read!r}")
