"""What goes wrong in an environment, apart from what Harbor has names for."""

from enum import StrEnum
from pathlib import Path

from parity.scorer.printable import printable


class Mistake(StrEnum):
    """What is wrong with a dataset."""

    NO_FOLDER = "no-folder"
    NOT_A_FOLDER = "not-a-folder"
    NO_TASKS = "no-tasks"
    UNREADABLE = "unreadable"
    ENCODING = "encoding"
    TOML = "toml"
    TYPE = "type"
    MIXED_TYPES = "mixed-types"
    LINK = "link"
    REFUSED = "refused"


def message_of(error: BaseException) -> str:
    """An error by its kind and message."""
    return f"{type(error).__name__}: {error}"


class DatasetError(ValueError):
    """A dataset that cannot be used; one line that says which folder, which field, and what to do."""

    def __init__(self, mistake: Mistake, folder: Path, what: str) -> None:
        super().__init__(printable(f"{folder}: {what}"))
        self.mistake, self.folder = mistake, folder


class SandboxError(Exception):
    """The infrastructure failed: the rollout has no score."""


class CommandFailed(SandboxError):
    """A command of ours ran inside and failed, which whatever runs there may have brought about."""


class CommandTimeoutError(RuntimeError):
    """A command took longer than it may."""


class AmbiguousRewardError(ValueError):
    """Several reward keys, none of which is `reward`: there is no one number."""
