"""`read_reward`: a folder, as the verifier left it, to rewards."""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
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
from parity.wire import Json, WireError, decode_bytes, encode_bytes

_NAMES = ("reward.json", "reward.txt")
_FOLDER_FLAGS = {"absent": "missing-folder", "file": "file-as-folder", "unsearchable": "unsearchable-folder"}
_SPECIAL = ("dangling-link", "looping-link", "fifo", "device", "socket", "unreadable", "directory")
_PLAIN_NAME = re.compile(r"(\w[\w.-]{0,63})?", re.ASCII)
_LONGEST_NAME = 200
"""Bytes; file systems take 255, and some of them count otherwise."""

_LARGE = 1 << 20
"""Bytes beyond which a file is large."""


@dataclass(frozen=True)
class RewardFolder:
    """The two reward files, the state of the folder that holds them, and what lies around them."""

    json: FileState
    text: FileState
    folder: FolderKind = "folder"
    others: Mapping[str, bytes] = field(default_factory=dict)
    """Contents of other files in the folder, by name."""

    within: str = ""
    """The name of a folder around it; no such folder if it is empty."""

    @property
    def files(self) -> dict[str, FileState]:
        """Both files by name."""
        return dict(zip(_NAMES, (self.json, self.text), strict=True))


def only_text(content: bytes) -> RewardFolder:
    """A folder with nothing but this reward.txt."""
    return RewardFolder(ABSENT, FileState("file", content))


def only_json(content: bytes) -> RewardFolder:
    """A folder with nothing but this reward.json."""
    return RewardFolder(FileState("file", content), ABSENT)


@contextmanager
def _arguments(case: RewardFolder) -> Iterator[tuple[Path]]:
    with folder_as_left("verifier", case.folder, case.files, case.others, case.within) as folder:
        yield (folder,)


def _flags(case: RewardFolder) -> frozenset[str]:
    flags = set() if _PLAIN_NAME.fullmatch(case.within) else {"odd-folder-name"}
    if case.folder in _FOLDER_FLAGS:
        return frozenset(flags | {_FOLDER_FLAGS[case.folder]})
    if case.folder == "link":
        flags.add("linked-folder")
    if case.others:
        flags.add("other-files")
    for state in (case.json,) if case.json.exists else (case.json, case.text):
        if state.kind in _SPECIAL:
            flags.add(state.kind)
        if state.kind in ("link", "link-to-directory"):
            flags.add("symlink")
        if state.kind == "link-to-directory":
            flags.add("directory")
    if case.json.exists and case.text.kind != "absent":
        flags.add("json-over-txt")
    if not (case.json.exists or case.text.exists):
        flags.add("no-reward-file")
    counts, content_flags = (case.json, json_flags) if case.json.exists else (case.text, text_flags)
    if counts.kind in ("file", "link"):
        flags |= content_flags(counts.content)
        if len(counts.content) > _LARGE:
            flags.add("large-file")
    return frozenset(flags)


def _encode(case: RewardFolder) -> Json:
    around: dict[str, Json] = {"within": case.within} if case.within else {}
    if case.others:
        around["others"] = {name: encode_bytes(content) for name, content in case.others.items()}
    return {"folder": case.folder, **{name: encode_state(state) for name, state in case.files.items()}, **around}


def _decode(value: Any) -> RewardFolder:
    match value:
        case {"folder": folder, "reward.json": in_json, "reward.txt": in_text} if folder in FOLDER_KINDS:
            within, others = value.get("within", ""), value.get("others", {})
            if (within == "" or _is_name(within)) and isinstance(others, dict) and all(map(_is_name, others)):
                contents = {name: decode_bytes(content) for name, content in others.items()}
                return RewardFolder(decode_state(in_json), decode_state(in_text), folder, contents, within)
    raise WireError(
        f"a read_reward case takes reward.json, reward.txt and a folder among {', '.join(FOLDER_KINDS)}; "
        "if need be, other files by name, and the name of a folder around it"
    )


def _is_name(name: Any) -> bool:
    """Whether it can name another file, or a folder."""
    try:
        size = len(name.encode())
    except (AttributeError, UnicodeEncodeError):
        return False
    return 0 < size <= _LONGEST_NAME and name not in (*_NAMES, ".", "..") and not {"/", "\0"} & set(name)


def _describe(case: RewardFolder) -> str:
    return describe_folder(case.folder, case.files, case.others, case.within)


READ_REWARD = Operation("read_reward", _arguments, _describe, _flags, _encode, _decode, path_member="directory")
