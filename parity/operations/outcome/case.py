"""`outcome`: a job's result.json to the outcome that the job is reported with."""

from dataclasses import dataclass

from parity.operations.files.file_states import (
    FileState,
    FolderKind,
)


@dataclass(frozen=True)
class ResultFile:
    """How result.json was left, and the job's folder that should hold it. A FIFO would be waited for for ever."""

    state: FileState
    folder: FolderKind = "folder"


def result_file(content: bytes) -> ResultFile:
    """A regular result.json with this content."""
    return ResultFile(FileState("file", content))
