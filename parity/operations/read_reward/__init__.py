"""`read_reward`: from the verifier's folder to rewards."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from parity.operations.files.file_states import (
    FOLDER_KINDS,
    decode_state,
    describe_folder,
    encode_state,
    folder_as_left,
)
from parity.operations.operation import Operation
from parity.operations.read_reward.case import NAMES, RewardFolder, only_json, only_text
from parity.operations.read_reward.equivalents import EQUIVALENTS
from parity.operations.read_reward.flags import FLAGS, flags_of
from parity.operations.read_reward.rules import RULES
from parity.operations.wire import Json, WireError, decode_bytes, encode_bytes

_LONGEST_NAME = 200
"""In bytes. File systems allow 255, and some of them count other units."""


def _is_name(name: Any) -> bool:
    """Return whether a value can be the name of another file, or of the folder around."""
    try:
        size = len(name.encode())
    except (AttributeError, UnicodeEncodeError):
        return False
    return 0 < size <= _LONGEST_NAME and name not in (*NAMES, ".", "..") and not {"/", "\0"} & set(name)


class ReadReward(Operation[RewardFolder]):
    """The operation `read_reward`: from the verifier's folder to rewards."""

    name = "read_reward"
    rules = RULES
    flag_sentences = FLAGS
    flags = staticmethod(flags_of)
    equivalents = EQUIVALENTS
    path_member = "directory"

    @contextmanager
    def arguments(self, case: RewardFolder) -> Iterator[tuple[Path]]:
        with folder_as_left("verifier", case.folder, case.files, case.others, case.within) as folder:
            yield (folder,)

    def encode(self, case: RewardFolder) -> Json:
        around: dict[str, Json] = {"within": case.within} if case.within else {}
        if case.others:
            around["others"] = {name: encode_bytes(content) for name, content in case.others.items()}
        return {"folder": case.folder, **{name: encode_state(state) for name, state in case.files.items()}, **around}

    def decode(self, value: Any) -> RewardFolder:
        match value:
            case {"folder": folder, "reward.json": in_json, "reward.txt": in_text} if folder in FOLDER_KINDS:
                within, others = value.get("within", ""), value.get("others", {})
                if (within == "" or _is_name(within)) and isinstance(others, dict) and all(map(_is_name, others)):
                    contents = {name: decode_bytes(content) for name, content in others.items()}
                    return RewardFolder(decode_state(in_json), decode_state(in_text), folder, contents, within)
        raise WireError(
            f"a read_reward case takes reward.json, reward.txt and a folder among {', '.join(FOLDER_KINDS)}; "
            "and optionally others, the contents of other files by name, and within, the name of a folder around it"
        )

    def describe(self, case: RewardFolder) -> str:
        return describe_folder(case.folder, case.files, case.others, case.within)


READ_REWARD = ReadReward()

__all__ = ["READ_REWARD", "RewardFolder", "only_json", "only_text"]
