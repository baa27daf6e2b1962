"""Errors that an environment raises, and faults: the reasons why a rollout has no reward.

A fault caused by the agent should affect training; a failure of the infrastructure should not. A trainer leaves out
rollouts with an error. If an agent's fault were an error, an agent that breaks its tests, or exits with a nonzero code,
would be left out instead of punished. So by default a fault is no error: the rollout counts with the reward of its
tests, or with 0.0 if they left none, as in Harbor's mean. Failures of the infrastructure are errors, and so are
exceptions of a subclass's hooks (`hook_errors.py`), which keep their class.
"""

from collections.abc import Iterator, Mapping, Sequence
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
    """A dataset cannot be used. The message is one line with the directory, the field and the cure."""

    def __init__(self, mistake: Mistake, directory: Path, what: str) -> None:
        super().__init__(printable(f"{directory}: {what}"))
        self.mistake, self.directory = mistake, directory


class MissingDatasetError(DatasetError, FileNotFoundError):
    """The dataset's directory is missing. Also a FileNotFoundError, which HarborEnv in `verifiers` raises."""


class RefusedTasksError(DatasetError):
    """Several tasks of a dataset cannot be used. The message has one line for each of them."""

    def __init__(self, directory: Path, count: int, errors: Sequence[DatasetError]) -> None:
        """Join the errors of several tasks in a dataset of `count` tasks."""
        cure = "correct them, or leave them out with skip_refused=True"
        super().__init__(errors[0].mistake, directory, f"{len(errors)} of {count} tasks cannot be used; {cure}:")
        self.args = ("\n  ".join([str(self), *map(str, errors)]),)
        self.errors = tuple(errors)


class SandboxError(Exception):
    """The infrastructure failed, so the rollout has no score. The cause is the exception of the call that failed."""


class CommandFailed(SandboxError):
    """A command that the environment ran in the sandbox failed, perhaps because of the agent or its tests."""


class AmbiguousRewardError(ValueError):
    """There are several reward keys and none is `reward`, so the rewards cannot be turned into a single number."""


def message_of(error: BaseException) -> str:
    """Return an error's class name, message and notes."""
    return f"{type(error).__name__}: {with_notes(error)}"


def with_notes(error: BaseException) -> str:
    """Return an error's message, with its notes in parentheses."""
    return " ".join([str(error), *(f"({note})" for note in getattr(error, "__notes__", ()))])


def causes(error: BaseException | None) -> Iterator[BaseException]:
    """Yield an exception, its cause, the cause of that, and so on; each of them once, as one may be its own cause."""
    seen = set[int]()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__


@contextmanager
def infrastructure(what: str) -> Iterator[None]:
    """Turn any exception from the block into a `SandboxError` whose message begins with `what`.

    An exception that is already a `SandboxError` is not changed.
    """
    try:
        yield
    except SandboxError:
        raise
    except Exception as error:
        raise SandboxError(f"{what}: {message_of(error)}") from error


def agent_fault(state: Mapping[str, Any], seconds: float | None) -> Exception | None:
    """Return the exception that Harbor raises for an agent that failed or timed out; None if the agent succeeded.

    Args:
        state: the rollout's state, with `timed_out` and `agent_exit_code`.
        seconds: the agent's timeout; None if the agent has no timeout.
    """
    if state.get("timed_out"):
        return AgentTimeoutError(f"the agent ran into its timeout of {seconds} seconds")
    if code := state.get("agent_exit_code"):
        return NonZeroAgentExitCodeError(f"the command exited with code {code}")
    return None


def is_fault(error: Exception) -> bool:
    """Return whether an exception from scoring is a fault caused by the agent or its tests, not by the infrastructure.

    Tests that take too long, a command that failed in the sandbox, and files that are too large to download are
    faults, because an agent can cause them. All else is the infrastructure's: the client of the sandboxes raised it.
    """
    cause = error.__cause__ if isinstance(error, AddTestsDirError | DownloadVerifierDirError) else error
    return isinstance(cause, VerifierTimeoutError | CommandFailed | TransferError)
