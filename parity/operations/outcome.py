"""`outcome`: a job's result.json to the outcome that the job is reported with."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from parity.compare import below_the_top
from parity.operations.file_states import (
    FileState,
    FolderKind,
    decode_state,
    describe_folder,
    encode_state,
    folder_as_left,
)
from parity.operations.operation import DESCRIPTION, Operation
from parity.operations.result_content import result_flags
from parity.wire import Json, WireError

_NAME = "result.json"
_FOLDER_FLAGS = {"absent": "missing-folder", "file": "file-as-folder", "unsearchable": "unsearchable-folder"}
_FOLDERS = ("folder", *_FOLDER_FLAGS)
_KINDS = ("absent", "file", "link", "dangling-link", "looping-link", "directory", "unreadable")


@dataclass(frozen=True)
class ResultFile:
    """How result.json was left, and the job's folder that should hold it. A FIFO would be waited for for ever."""

    state: FileState
    folder: FolderKind = "folder"


def result_file(content: bytes) -> ResultFile:
    """A regular result.json with this content."""
    return ResultFile(FileState("file", content))


@contextmanager
def _arguments(case: ResultFile) -> Iterator[tuple[Path]]:
    with folder_as_left("job", case.folder, {_NAME: case.state}) as folder:
        yield (folder / _NAME,)


def _flags(case: ResultFile) -> frozenset[str]:
    if case.folder != "folder":
        return frozenset({_FOLDER_FLAGS[case.folder]})
    match case.state.kind:
        case "absent":
            return frozenset({"no-result-file"})
        case "file":
            return result_flags(case.state.content)
        case "link":
            return result_flags(case.state.content) | {"symlink"}
    return frozenset({case.state.kind})


def _encode(case: ResultFile) -> Json:
    return {"folder": case.folder, _NAME: encode_state(case.state)}


def _decode(value: Any) -> ResultFile:
    match value:
        case {"folder": folder, "result.json": {"kind": kind} as state} if folder in _FOLDERS and kind in _KINDS:
            return ResultFile(decode_state(state), folder)
    raise WireError(f"an outcome case takes result.json as {', '.join(_KINDS)}, and a folder as {', '.join(_FOLDERS)}")


def _describe(case: ResultFile) -> str:
    return describe_folder(case.folder, {_NAME: case.state})


OUTCOME = Operation(
    "outcome",
    _arguments,
    _describe,
    _flags,
    _encode,
    _decode,
    path_member="result",
    authority=lambda flags: DESCRIPTION,
    ordered=lambda case: below_the_top,  # the fields come in any order; that of the printed line is compared as text
)
