"""Finds faults in a task's files without running it: in each field of task.toml, in its folders and in its scripts."""

import re
from collections.abc import Iterator
from difflib import get_close_matches
from pathlib import Path

from parity.driver.task import read_task
from parity.driver.task_config import TaskConfig
from parity.driver.task_file import read_task_file
from parity.driver.task_table import FatalTask, Note, TaskError, UnsupportedTask
from parity.lint.findings import Finding
from parity.lint.in_reach import check_reach
from parity.lint.scripts import check_script, test_folders

LATER = {"artifacts.service": "0.14", "verifier.collect": "0.14", "task.version": "0.21"}
"""Keys of a task or a step that only later releases of Harbor read, with the first of these releases."""


def check_files(task: Path) -> Iterator[Finding]:
    """Yield the faults of a task's files.

    Args:
        task: the task's folder.
    """
    notes: list[Note] = []
    config = TaskConfig()
    try:
        config = read_task_file(task, notes)
        yield from (_finding(task, note) for note in notes)
        read_task(task, in_dataset=True)
    except UnsupportedTask as error:
        yield not_run(task, error.what)
    except FatalTask as error:
        yield _refused(task, "ends-the-job", error.what)
    except TaskError as error:
        yield _refused(task, "refused", error.what)
    for _, folder in test_folders(task, config):
        yield from check_script(task, folder / "test.sh")
    yield from check_reach(task, config)


def not_run(task: Path, *reasons: str) -> Finding:
    """Return the finding that a task was not run, with the reasons; a remedy after a semicolon is left out of each."""
    return Finding(task, "not-run", ", and ".join(reason.partition("; ")[0] for reason in reasons))


def _refused(task: Path, rule: str, error: str) -> Finding:
    what, _, remedy = error.rpartition("; ")
    return Finding(task, rule, what, remedy)


def _finding(task: Path, note: Note) -> Finding:
    if note.known:
        if since := LATER.get(re.sub(r"\[\d+\]|^steps\[\d+\]\.", "", note.key)):
            return Finding(task, "later-key", f"task.toml: {note.key} is a key of Harbor's from {since} on")
        if len(note.known) == 1:
            return Finding(task, "ignored-key", f"task.toml: {note.key} has no effect, Harbor reads {note.known[0]}")
        name = note.key.rpartition(".")[2]
        meant = get_close_matches(name, note.known, 1)
        hint = f", but {meant[0]}" if meant else ""
        return Finding(task, "ignored-key", f"task.toml: Harbor has no key {note.key}{hint}")
    return Finding(task, "converted-value", f"task.toml: {note.key} is {note.value!r}, read as {note.read!r}")
