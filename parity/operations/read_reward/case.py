"""The class of cases for `read_reward`: a verifier's directory."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from parity.operations.files.file_states import ABSENT, DirectoryKind, FileState

NAMES = ("reward.json", "reward.txt")


@dataclass(frozen=True)
class RewardDirectory:
    """The two reward files, the state of their directory, other files in it, and the name of a directory around it."""

    json: FileState
    text: FileState
    directory: DirectoryKind = "folder"
    others: Mapping[str, bytes] = field(default_factory=dict)
    """Contents of other files, by their paths from the directory, such as `a`, `below/a` or `../beside`."""

    within: str = ""
    """The name of a directory that contains the verifier's directory; empty if there is none."""

    @property
    def files(self) -> dict[str, FileState]:
        """The states of reward.json and reward.txt, by file name."""
        return dict(zip(NAMES, (self.json, self.text), strict=True))


def only_text(content: bytes) -> RewardDirectory:
    """Return a directory that contains only reward.txt, with this content."""
    return RewardDirectory(ABSENT, FileState("file", content))


def only_json(content: bytes) -> RewardDirectory:
    """Return a directory that contains only reward.json, with this content."""
    return RewardDirectory(FileState("file", content), ABSENT)
