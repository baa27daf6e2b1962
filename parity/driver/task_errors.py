"""Errors of tasks that cannot be run."""

from pathlib import Path


class TaskError(Exception):
    """A task that cannot be run; one line that says where, what, and what to do."""

    def __init__(self, folder: Path, what: str) -> None:
        super().__init__(f"{folder}: {what}")
        self.folder, self.what = folder, what


class InvalidTask(TaskError):
    """Harbor takes it for no task either: in a dataset it leaves the folder out."""


class FatalTask(TaskError):
    """Harbor ends the whole job with an error because of it, in a dataset too."""


class UnsupportedTask(TaskError):
    """Harbor would run it, this driver cannot."""
