"""`read_reward`: a folder, as the verifier left it, to rewards."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from parity.operations.files.file_states import ABSENT, FileState, FolderKind

NAMES = ("reward.json", "reward.txt")


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
        return dict(zip(NAMES, (self.json, self.text), strict=True))


def only_text(content: bytes) -> RewardFolder:
    """A folder with nothing but this reward.txt."""
    return RewardFolder(ABSENT, FileState("file", content))


def only_json(content: bytes) -> RewardFolder:
    """A folder with nothing but this reward.json."""
    return RewardFolder(FileState("file", content), ABSENT)
