"""The case of `read_reward`: a verifier's folder."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from parity.operations.files.file_states import ABSENT, FileState, FolderKind

NAMES = ("reward.json", "reward.txt")


@dataclass(frozen=True)
class RewardFolder:
    """The two reward files, the state of their folder, the other files in it, and the name of a folder around it."""

    json: FileState
    text: FileState
    folder: FolderKind = "folder"
    others: Mapping[str, bytes] = field(default_factory=dict)
    """Contents of other files in the folder, by name."""

    within: str = ""
    """The name of a folder around it, or an empty string for none."""

    @property
    def files(self) -> dict[str, FileState]:
        """Both files by name."""
        return dict(zip(NAMES, (self.json, self.text), strict=True))


def only_text(content: bytes) -> RewardFolder:
    """Return a folder with nothing but this reward.txt."""
    return RewardFolder(ABSENT, FileState("file", content))


def only_json(content: bytes) -> RewardFolder:
    """Return a folder with nothing but this reward.json."""
    return RewardFolder(FileState("file", content), ABSENT)
