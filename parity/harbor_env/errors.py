"""What goes wrong in an environment, and whether it is a fault: why a rollout has no reward.

That is because of the agent, which a trainer should count, or of the infrastructure. A trainer leaves out a rollout
that has an error. An agent that breaks its tests, or that ends with an exit code, would so be left out instead of
punished. By default a fault is worth 0.0 and no error, as Harbor's own mean takes it, and only what the infrastructure
fails to do is an error.
"""

from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Any, Literal

from parity.driver.errors import (
    AddTestsDirError,
    AgentTimeoutError,
    DownloadVerifierDirError,
    NonZeroAgentExitCodeError,
    VerifierTimeoutError,
)
from parity.driver.sandbox import TransferError
from parity.scorer.printable import printable

type Faults = Literal["zero", "error"]
"""What a fault is to whoever trains: a reward of 0.0, or an error besides."""


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


class MissingDatasetError(DatasetError, FileNotFoundError):
    """The folder of tasks is missing. This is a FileNotFoundError, too, which HarborEnv of `verifiers` raises."""


class SandboxError(Exception):
    """The infrastructure failed: the rollout has no score."""


class CommandFailed(SandboxError):
    """A command of ours ran inside and failed, which whatever runs there may have brought about."""


class CommandTimeoutError(RuntimeError):
    """A command took longer than it may."""


class AmbiguousRewardError(ValueError):
    """Several reward keys, none of which is `reward`: there is no one number."""


def agent_fault(state: Mapping[str, Any], seconds: float | None) -> Exception | None:
    """How the agent ended, if Harbor has a name for it.

    Args:
        state: the rollout's; its `timed_out` and `agent_exit_code`.
        seconds: the agent's time, if it has one.
    """
    if state.get("timed_out"):
        return AgentTimeoutError(f"the agent ran into its timeout of {seconds} seconds")
    if code := state.get("agent_exit_code"):
        return NonZeroAgentExitCodeError(f"the command exited with code {code}")
    return None


def is_fault(error: Exception) -> bool:
    """Whether what ended a verification is what the agent or the tests did, not what the infrastructure failed to do.

    Tests that take too long, a command that ran inside and failed, and files that are more than is carried out are
    theirs: an agent can bring them about.
    """
    cause = error.__cause__ if isinstance(error, AddTestsDirError | DownloadVerifierDirError) else error
    return isinstance(cause, VerifierTimeoutError | CommandFailed | TransferError)
