"""How a file that is to be scored was left on disk, on the wire and in a scratch folder."""

import os
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from parity.operations.folders import scratch_folder
from parity.operations.privileges import without_file_privileges
from parity.wire import Json, WireError, decode_bytes, encode_bytes

type FileKind = Literal["absent", "file", "link", "dangling-link", "looping-link", "directory", "fifo", "unreadable"]
type FolderKind = Literal["folder", "absent", "file", "unsearchable"]

FILE_KINDS: tuple[str, ...] = get_args(FileKind.__value__)
FOLDER_KINDS: tuple[str, ...] = get_args(FolderKind.__value__)
_WITH_CONTENT = ("file", "link", "unreadable")


@dataclass(frozen=True)
class FileState:
    """How one file was left. `content` counts for a file, a link to a file, and an unreadable file."""

    kind: FileKind
    content: bytes = b""

    @property
    def exists(self) -> bool:
        """Whether there is something, once links are followed."""
        return self.kind not in ("absent", "dangling-link", "looping-link")


ABSENT = FileState("absent")
"""No file."""


@contextmanager
def folder_as_left(name: str, kind: FolderKind, files: Mapping[str, FileState]) -> Iterator[Path]:
    """A folder of that name with the files in it, or what stands in its place; gone afterwards."""
    with scratch_folder() as scratch, ExitStack() as stack:
        folder = scratch / name
        if kind == "file":
            folder.touch()
        elif kind != "absent":
            folder.mkdir()
            for file, state in files.items():
                _place(state, folder / file, scratch)
        if kind == "unsearchable":
            folder.chmod(0)
            stack.callback(folder.chmod, 0o700)
        if kind == "unsearchable" or any(state.kind == "unreadable" for state in files.values()):
            stack.enter_context(without_file_privileges())
        yield folder


def _place(state: FileState, path: Path, scratch: Path) -> None:
    match state.kind:
        case "file":
            path.write_bytes(state.content)
        case "unreadable":
            path.write_bytes(state.content)
            path.chmod(0)
        case "link":
            target = scratch / f"elsewhere-{path.name}"
            target.write_bytes(state.content)
            path.symlink_to(target)
        case "dangling-link":
            path.symlink_to(scratch / "nowhere")
        case "looping-link":
            path.symlink_to(path.name)
        case "directory":
            path.mkdir()
        case "fifo":
            os.mkfifo(path)
        case "absent":
            pass


def encode_state(state: FileState) -> Json:
    """A file's state on the wire."""
    content: dict[str, Json] = {"content": encode_bytes(state.content)} if state.kind in _WITH_CONTENT else {}
    return {"kind": state.kind, **content}


def decode_state(value: Any) -> FileState:
    """The inverse of `encode_state`.

    Raises:
        WireError: another kind, or content where there is none.
    """
    match value:
        case {"kind": kind, "content": content} if kind in _WITH_CONTENT:
            return FileState(kind, decode_bytes(content))
        case {"kind": kind} if kind in FILE_KINDS and kind not in _WITH_CONTENT:
            return FileState(kind)
    raise WireError(f"a file takes a kind among {', '.join(FILE_KINDS)}, and content where it has any")


def describe_folder(kind: FolderKind, files: Mapping[str, FileState]) -> str:
    """The folder in one line, for people."""
    told = [
        f"{name}: {state.kind}{f' {state.content!r}' if state.kind in _WITH_CONTENT else ''}"
        for name, state in files.items()
        if state.kind != "absent"
    ]
    found = "; ".join(told) or "no files"
    return found if kind == "folder" else f"{kind} as folder; {found}"
