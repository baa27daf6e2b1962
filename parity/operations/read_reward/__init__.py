"""The operation `read_reward`, which reads the rewards from the verifier's directory."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from parity.operations.codec import Codec, Form
from parity.operations.files.file_states import (
    STATE_FORMS,
    describe_directory,
    directory_as_left,
    need_modes,
)
from parity.operations.operation import Operation
from parity.operations.read_reward.case import NAMES, RewardDirectory, only_json, only_text
from parity.operations.read_reward.rules import RULES
from parity.operations.wire import WireError

_LONGEST_NAME = 200
"""The longest allowed name in bytes. Most file systems allow 255, but some of them do not measure in bytes."""


def _is_name(name: str) -> bool:
    """Return whether a string may name a file or a directory."""
    try:
        size = len(name.encode())
    except UnicodeEncodeError:
        return False
    return 0 < size <= _LONGEST_NAME and name not in (".", "..") and not {"/", "\0"} & set(name)


def _is_other_path(path: str) -> bool:
    """Return whether a string may be the path of a file that is no reward file: in, below or beside the directory."""
    names = path.removeprefix("../").split("/")
    is_reserved = names[0].startswith(("verifier", "elsewhere")) if path.startswith("../") else names[0] in NAMES
    return not is_reserved and all(map(_is_name, names))


def _check(case: RewardDirectory) -> None:
    for path in case.others:
        if not _is_other_path(path) or any(each.startswith(f"{path}/") for each in case.others):
            raise WireError(f"must have paths of other files in others, such as a.txt or notes/a.txt, not {path!r:.60}")
    if case.within and (case.within in NAMES or not _is_name(case.within)):
        raise WireError(f"must have a plain name in within, not {case.within!r:.60}")


_FORM = Form(
    frozenset({"within", "others"}),
    {"directory": "folder", "json": "reward.json", "text": "reward.txt", "within": "within", "others": "others"},
    _check,
)


class ReadReward(Operation[RewardDirectory]):
    """The operation `read_reward`, which reads the rewards from the verifier's directory."""

    name = "read_reward"
    rules = RULES
    codec = Codec(RewardDirectory, "a read_reward case", {RewardDirectory: _FORM, **STATE_FORMS}, unknown="ignore")
    path_member = "directory"

    @contextmanager
    def arguments(self, case: RewardDirectory) -> Iterator[tuple[Path]]:
        with directory_as_left("verifier", case.directory, case.files, case.others, case.within) as directory:
            yield (directory,)

    def needs_modes(self, case: RewardDirectory) -> bool:
        return need_modes(case.directory, case.files.values())

    def describe(self, case: RewardDirectory) -> str:
        return describe_directory(case.directory, case.files, case.others, case.within)


READ_REWARD = ReadReward()

__all__ = ["READ_REWARD", "RewardDirectory", "only_json", "only_text"]
