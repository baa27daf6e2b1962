"""States of reward and result files: as values, in their wire form, and on disk in a scratch directory."""

import os
import socket
import stat
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from parity.operations.codec import Form
from parity.operations.files.directories import scratch_directory
from parity.operations.wire import Json, WireError, decode_bytes, encode_bytes

type FileKind = Literal[
    "absent",
    "file",
    "link",
    "dangling-link",
    "looping-link",
    "directory",
    "link-to-directory",
    "fifo",
    "device",
    "socket",
    "unreadable",
]
type DirectoryKind = Literal["folder", "link", "absent", "file", "unsearchable"]

FILE_KINDS: tuple[str, ...] = get_args(FileKind.__value__)
_WITH_CONTENT = ("file", "link", "unreadable")
_NONE: Mapping[str, bytes] = {}


@dataclass(frozen=True)
class FileState:
    """The state of one file. `content` is used only if the kind is `file`, `link` or `unreadable`.

    The kind `device` is a symlink to a device.
    """

    kind: FileKind
    content: bytes = b""

    @property
    def exists(self) -> bool:
        """Whether the path exists after symlinks are followed."""
        return self.kind not in ("absent", "dangling-link", "looping-link")


ABSENT = FileState("absent")
"""The state of a file that does not exist."""


@contextmanager
def directory_as_left(
    name: str,
    kind: DirectoryKind,
    files: Mapping[str, FileState],
    others: Mapping[str, bytes] = _NONE,
    within: str = "",
) -> Iterator[Path]:
    """Create a directory in the given state, or another entry in its place. Yield its path; remove it afterwards.

    Args:
        name: the name of the directory.
        kind: the kind of entry at the path of the directory.
        files: the states of the reward or result files in the directory, by name.
        others: the contents of other files, by their paths from the directory. The directories of `a/b` are made.
        within: the name of a directory that contains the directory; empty if there is none.
    """
    with scratch_directory() as scratch, ExitStack() as stack:
        directory = scratch / name
        if within:
            directory = scratch / _on_disk(within) / name
            directory.parent.mkdir(exist_ok=True)
        if kind == "file":
            directory.touch()
        elif kind != "absent":
            filled = scratch / "elsewhere" if kind == "link" else directory
            filled.mkdir()
            for other, content in others.items():
                path = filled / _on_disk(other)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)
            for file, state in files.items():
                _place(state, filled / file, scratch)
            if kind == "link":
                directory.symlink_to(filled)
        if kind == "unsearchable":
            directory.chmod(0)
            stack.callback(directory.chmod, 0o700)
        yield directory


def need_modes(kind: DirectoryKind, files: Iterable[FileState]) -> bool:
    """Return whether a file or the directory is unreadable because of its mode."""
    return kind == "unsearchable" or any(state.kind == "unreadable" for state in files)


def _on_disk(name: str) -> str:
    """Return the string with which this process opens a file whose name is encoded as UTF-8 on disk."""
    return os.fsdecode(name.encode())


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
        case "link-to-directory":
            target = scratch / f"elsewhere-{path.name}"
            target.mkdir()
            path.symlink_to(target)
        case "fifo":
            os.mkfifo(path)
        case "device":
            path.symlink_to(os.devnull)  # only root can create a device
        case "socket":
            _make_socket(path)
        case "absent":
            pass


def _make_socket(path: Path) -> None:
    if sys.platform == "linux":
        os.mknod(path, stat.S_IFSOCK | 0o600)  # binding a socket to a path works only for short paths
    else:
        with socket.socket(socket.AF_UNIX) as bound:
            bound.bind(str(path))


def encode_state(state: FileState) -> Json:
    """Encode the state of a file in its wire form."""
    content: dict[str, Json] = {"content": encode_bytes(state.content)} if state.kind in _WITH_CONTENT else {}
    return {"kind": state.kind, **content}


def decode_state(value: Any) -> FileState:
    """Decode the state of a file.

    Raises:
        WireError: the kind is unknown, or the content is missing or not allowed.
    """
    match value:
        case {"kind": kind, "content": content} if kind in _WITH_CONTENT:
            return FileState(kind, decode_bytes(content))
        case {"kind": kind} if kind in FILE_KINDS and kind not in _WITH_CONTENT:
            return FileState(kind)
    raise WireError(
        f"must have one of the kinds {', '.join(FILE_KINDS)}, and content only for {', '.join(_WITH_CONTENT)}"
    )


_SCHEMA: dict[str, Any] = {
    "description": "The state of one file. A file, a link to one, and an unreadable file have content.",
    "type": "object",
    "properties": {"kind": {"enum": list(FILE_KINDS)}, "content": {"$ref": "#/$defs/bytes"}},
    "required": ["kind"],
}
STATE_FORMS: dict[type, Form] = {FileState: Form(by_hand=(encode_state, decode_state, _SCHEMA))}


def describe_directory(
    kind: DirectoryKind, files: Mapping[str, FileState], others: Mapping[str, bytes] = _NONE, within: str = ""
) -> str:
    """Describe a directory in one line for readers. The arguments are the same as for `directory_as_left`."""
    entries = [
        f"{name}: {state.kind}{f' {state.content!r}' if state.kind in _WITH_CONTENT else ''}"
        for name, state in files.items()
        if state.kind != "absent"
    ]
    entries += [f"other file {name!r}: {content!r}" for name, content in others.items()]
    around = [f"in a directory {within!r}"] if within else []
    itself = [] if kind == "folder" else [f"{kind} as directory"]
    return "; ".join([*around, *itself, *(entries or ["no files"])])
