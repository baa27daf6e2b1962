"""Finds faults in a task's files without running it: in each field of task.toml, in its folders and in its scripts."""

from collections.abc import Iterator
from pathlib import Path

from parity.driver.errors import FatalTask, TaskError, UnsupportedTask
from parity.driver.task import read_task
from parity.driver.task_file import read_values, task_config
from parity.formats.task import TaskConfig
from parity.lint.findings import Finding
from parity.lint.in_reach import check_reach
from parity.lint.scripts import check_script, test_folders
from parity.lint.task_values import check_values


def check_files(task: Path) -> Iterator[Finding]:
    """Yield the faults of a task's files.

    Args:
        task: the task's folder.
    """
    config = TaskConfig()
    try:
        values = read_values(task)
        config = task_config(task, values)
        yield from check_values(task, values, config)
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
