"""Errors that an environment raises, and faults: the reasons why a rollout has no reward.

A fault caused by the agent should affect training; a failure of the infrastructure should not. A trainer leaves out
rollouts with an error. If an agent's fault were an error, an agent that breaks its tests, or exits with a nonzero code,
would be left out instead of punished. So by default a fault is no error: the rollout counts with the reward of its
tests, or with 0.0 if they left none, as in Harbor's mean. Failures of the infrastructure are errors, and so are
exceptions of a subclass's hooks, which keep their class.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from traceback import walk_tb
from types import CodeType
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


_PLATFORM = frozenset({"parity", "verifiers", "prime_sandboxes", "prime_tunnel"})
"""The packages that environments and their sandboxes are made of. All other code below a hook is the subclass's."""


def is_of_platform(module: str) -> bool:
    """Return whether a module belongs to the kit, to `verifiers`, or to its clients."""
    return module.partition(".")[0] in _PLATFORM


def causes(error: BaseException | None) -> Iterator[BaseException]:
    """Yield an exception, its cause, the cause of that, and so on; each of them once, as one may be its own cause."""
    seen = set[int]()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__


def hook_error(error: BaseException, hooks: Collection[CodeType]) -> Exception | None:
    """Return the exception that a subclass's hook raised, with its place as a note; None if no hook raised it.

    A hook did not raise what failed in a call of the kit or of a sandbox's client, even if it turned the failure into
    an exception of its own. By a `SandboxError`, a hook says itself that the infrastructure failed.

    Args:
        error: an exception, perhaps with the hook's exception among its causes.
        hooks: the code of the subclass's methods.
    """
    own: Exception | None = None
    place: str | None = None
    for each in causes(error):
        place = _place(each, hooks, place)
        if place is not None and own is None and isinstance(each, Exception):
            own, note = each, place
    if place is None or own is None or isinstance(own, SandboxError):
        return None
    if note not in getattr(own, "__notes__", ()):
        own.add_note(note)
    return own


def _place(error: BaseException, hooks: Collection[CodeType], place: str | None) -> str | None:
    """Return the hook and line at which an exception was raised; None if the kit or a client raised it.

    Args:
        error: the exception.
        hooks: the code of the subclass's methods.
        place: the place to return if the traceback has neither.
    """
    for frame, line in walk_tb(error.__traceback__):
        if frame.f_code in hooks:
            place = f"in {frame.f_code.co_qualname}, {frame.f_code.co_filename}:{line}"
        elif is_of_platform(frame.f_globals.get("__name__", "")):
            place = None
    if isinstance(error, BaseExceptionGroup):
        return next(filter(None, (_place(each, hooks, place) for each in error.exceptions)), None)
    return place


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
