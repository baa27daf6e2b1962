"""Errors of an environment, and faults: the reasons why a rollout has no reward.

The agent's faults should count in training; failures of the infrastructure should not. A trainer leaves out rollouts
with an error. If an agent's fault were an error, an agent that breaks its tests, or fails with an exit code, would be
left out instead of punished. So by default a fault gives the reward 0.0 and no error, as in Harbor's mean, and only
failures of the infrastructure are errors.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Any

from parity.driver.errors import (
    AddTestsDirError,
    AgentTimeoutError,
    DownloadVerifierDirError,
    NonZeroAgentExitCodeError,
    VerifierTimeoutError,
)
from parity.driver.sandbox import TransferError
from parity.scorer.printable import printable


class Mistake(StrEnum):
    """The kinds of mistakes in a dataset."""

    MISSING = "missing"
    NO_TASKS = "no-tasks"
    UNREADABLE = "unreadable"
    ENCODING = "encoding"
    TOML = "toml"
    TYPE = "type"
    MIXED_TYPES = "mixed-types"
    LINK = "link"
    REFUSED = "refused"


class DatasetError(ValueError):
    """A dataset that cannot be used. The message is one line: the directory, the field, and what to do."""

    def __init__(self, mistake: Mistake, directory: Path, what: str) -> None:
        super().__init__(printable(f"{directory}: {what}"))
        self.mistake, self.directory = mistake, directory


class MissingDatasetError(DatasetError, FileNotFoundError):
    """The directory of tasks is missing. The error is also a FileNotFoundError, as in HarborEnv of `verifiers`."""


class SandboxError(Exception):
    """The infrastructure failed, so the rollout has no score."""


class CommandFailed(SandboxError):
    """A command of the environment failed inside the sandbox, perhaps because of the agent or its tests."""


class AmbiguousRewardError(ValueError):
    """Several reward keys without `reward`: there is no single number."""


def message_of(error: BaseException) -> str:
    """Return an error's class name and message."""
    return f"{type(error).__name__}: {error}"


@contextmanager
def infrastructure(what: str) -> Iterator[None]:
    """Turn any exception of a block into a `SandboxError` that begins with these words, unless it is one already."""
    try:
        yield
    except SandboxError:
        raise
    except Exception as error:
        raise SandboxError(f"{what}: {message_of(error)}") from error


def agent_fault(state: Mapping[str, Any], seconds: float | None) -> Exception | None:
    """Return Harbor's error for an agent that failed or was stopped, or None if the agent ended well.

    Args:
        state: the rollout's state; its `timed_out` and `agent_exit_code` are read.
        seconds: the agent's timeout, if it has one.
    """
    if state.get("timed_out"):
        return AgentTimeoutError(f"the agent ran into its timeout of {seconds} seconds")
    if code := state.get("agent_exit_code"):
        return NonZeroAgentExitCodeError(f"the command exited with code {code}")
    return None


def is_fault(error: Exception) -> bool:
    """Return whether an error of scoring is a fault of the agent or its tests, not of the infrastructure.

    Tests that take too long, a command that failed inside the sandbox, and files that are too large to download are
    faults: an agent can cause them.
    """
    cause = error.__cause__ if isinstance(error, AddTestsDirError | DownloadVerifierDirError) else error
    return isinstance(cause, VerifierTimeoutError | CommandFailed | TransferError)
