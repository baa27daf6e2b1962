"""`read_reward`: a folder, as the verifier left it, to rewards."""

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from parity.operations.folders import scratch_folder, without_file_privileges
from parity.operations.operation import Operation
from parity.operations.reward_content import json_flags, text_flags
from parity.wire import Json, WireError, decode_bytes, encode_bytes

type FileKind = Literal["absent", "file", "link", "dangling-link", "looping-link", "directory", "fifo", "unreadable"]
type FolderKind = Literal["folder", "absent", "file", "unsearchable"]

_FILE_KINDS: tuple[str, ...] = get_args(FileKind.__value__)
_FOLDER_KINDS: tuple[str, ...] = get_args(FolderKind.__value__)
_WITH_CONTENT = ("file", "link", "unreadable")


@dataclass(frozen=True)
class FileState:
    """How one reward file was left. `content` counts for a file, a link to a file, and an unreadable file."""

    kind: FileKind
    content: bytes = b""


@dataclass(frozen=True)
class RewardFolder:
    """The two reward files, and the state of the folder that holds them."""

    json: FileState
    text: FileState
    folder: FolderKind = "folder"


ABSENT = FileState("absent")
"""No file."""


def only_text(content: bytes) -> RewardFolder:
    """A folder with nothing but this reward.txt."""
    return RewardFolder(ABSENT, FileState("file", content))


def only_json(content: bytes) -> RewardFolder:
    """A folder with nothing but this reward.json."""
    return RewardFolder(FileState("file", content), ABSENT)


@contextmanager
def _arguments(case: RewardFolder) -> Iterator[tuple[Path]]:
    with scratch_folder() as scratch, ExitStack() as stack:
        folder = scratch / "verifier"
        if case.folder == "file":
            folder.touch()
        elif case.folder != "absent":
            folder.mkdir()
            _place(case.json, folder / "reward.json", scratch)
            _place(case.text, folder / "reward.txt", scratch)
        if case.folder == "unsearchable":
            folder.chmod(0)
            stack.callback(folder.chmod, 0o700)
        if "unreadable" in (case.json.kind, case.text.kind) or case.folder == "unsearchable":
            stack.enter_context(without_file_privileges())
        yield (folder,)


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


def _flags(case: RewardFolder) -> frozenset[str]:
    flags: set[str] = set()
    match case.folder:
        case "absent":
            return frozenset({"missing-folder"})
        case "file":
            return frozenset({"file-as-folder"})
        case "unsearchable":
            return frozenset({"unsearchable-folder"})
    for state in (case.json, case.text):
        if state.kind in ("dangling-link", "looping-link", "fifo", "unreadable", "directory"):
            flags.add(state.kind)
        if state.kind == "link":
            flags.add("symlink")
    exists = [state.kind not in ("absent", "dangling-link", "looping-link") for state in (case.json, case.text)]
    if all(exists):
        flags.add("json-over-txt")
    if not any(exists):
        flags.add("no-reward-file")
    counts, content_flags = (case.json, json_flags) if exists[0] else (case.text, text_flags)
    if counts.kind in ("file", "link"):
        flags |= content_flags(counts.content)
    return frozenset(flags)


def _encode(case: RewardFolder) -> Json:
    return {
        "folder": case.folder,
        "reward.json": _encode_state(case.json),
        "reward.txt": _encode_state(case.text),
    }


def _encode_state(state: FileState) -> Json:
    content: dict[str, Json] = {"content": encode_bytes(state.content)} if state.kind in _WITH_CONTENT else {}
    return {"kind": state.kind, **content}


def _decode(value: Any) -> RewardFolder:
    match value:
        case {"folder": folder, "reward.json": in_json, "reward.txt": in_text} if folder in _FOLDER_KINDS:
            return RewardFolder(_decode_state(in_json), _decode_state(in_text), folder)
    raise WireError(f"a read_reward case takes reward.json, reward.txt and a folder among {', '.join(_FOLDER_KINDS)}")


def _decode_state(value: Any) -> FileState:
    match value:
        case {"kind": kind, "content": content} if kind in _WITH_CONTENT:
            return FileState(kind, decode_bytes(content))
        case {"kind": kind} if kind in _FILE_KINDS and kind not in _WITH_CONTENT:
            return FileState(kind)
    raise WireError(f"a file takes a kind among {', '.join(_FILE_KINDS)}, and content where it has any")


def _describe(case: RewardFolder) -> str:
    told = [
        f"{name}: {state.kind}{f' {state.content!r}' if state.kind in _WITH_CONTENT else ''}"
        for name, state in (("reward.json", case.json), ("reward.txt", case.text))
        if state.kind != "absent"
    ]
    files = "; ".join(told) or "no files"
    return files if case.folder == "folder" else f"{case.folder} as folder; {files}"


READ_REWARD = Operation("read_reward", _arguments, _describe, _flags, _encode, _decode)
