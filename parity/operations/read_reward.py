"""`read_reward`: a folder, as the verifier left it, to rewards."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from parity.operations.file_states import (
    ABSENT,
    FOLDER_KINDS,
    FileState,
    FolderKind,
    decode_state,
    describe_folder,
    encode_state,
    folder_as_left,
)
from parity.operations.operation import Operation
from parity.operations.reward_content import json_flags, text_flags
from parity.wire import Json, WireError


@dataclass(frozen=True)
class RewardFolder:
    """The two reward files, and the state of the folder that holds them."""

    json: FileState
    text: FileState
    folder: FolderKind = "folder"

    @property
    def files(self) -> dict[str, FileState]:
        """Both files by name."""
        return {"reward.json": self.json, "reward.txt": self.text}


def only_text(content: bytes) -> RewardFolder:
    """A folder with nothing but this reward.txt."""
    return RewardFolder(ABSENT, FileState("file", content))


def only_json(content: bytes) -> RewardFolder:
    """A folder with nothing but this reward.json."""
    return RewardFolder(FileState("file", content), ABSENT)


@contextmanager
def _arguments(case: RewardFolder) -> Iterator[tuple[Path]]:
    with folder_as_left("verifier", case.folder, case.files) as folder:
        yield (folder,)


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
    if case.json.exists and case.text.exists:
        flags.add("json-over-txt")
    if not (case.json.exists or case.text.exists):
        flags.add("no-reward-file")
    counts, content_flags = (case.json, json_flags) if case.json.exists else (case.text, text_flags)
    if counts.kind in ("file", "link"):
        flags |= content_flags(counts.content)
    return frozenset(flags)


def _encode(case: RewardFolder) -> Json:
    return {"folder": case.folder, **{name: encode_state(state) for name, state in case.files.items()}}


def _decode(value: Any) -> RewardFolder:
    match value:
        case {"folder": folder, "reward.json": in_json, "reward.txt": in_text} if folder in FOLDER_KINDS:
            return RewardFolder(decode_state(in_json), decode_state(in_text), folder)
    raise WireError(f"a read_reward case takes reward.json, reward.txt and a folder among {', '.join(FOLDER_KINDS)}")


def _describe(case: RewardFolder) -> str:
    return describe_folder(case.folder, case.files)


READ_REWARD = Operation("read_reward", _arguments, _describe, _flags, _encode, _decode, path_member="directory")
