"""The case of `outcome`: a job's result.json."""

from dataclasses import dataclass

from parity.operations.files.file_states import (
    DirectoryKind,
    FileState,
)


@dataclass(frozen=True)
class ResultFile:
    """The state of result.json, and of the job's directory. A FIFO is not allowed, because reading it would block."""

    state: FileState
    directory: DirectoryKind = "folder"


def result_file(content: bytes) -> ResultFile:
    """Return the case of a regular result.json with this content."""
    return ResultFile(FileState("file", content))
