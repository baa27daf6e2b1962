"""Errors that end a trial, and errors for a task that cannot be run.

A trial's errors have the same class names as in Harbor: result.json records the names, and retries depend on them.
Reason codes depend on the words in a message. So a message quotes only the command or path that Harbor's message
quotes, or the cause if that does not change the reason code. Rule: `run-trial/message-code`.
"""

from pathlib import Path

from parity.scorer.reason_code import reason_code


class EnvironmentStartTimeoutError(TimeoutError):
    """The sandbox took longer to start than `build_timeout_sec` allows."""


class AgentSetupTimeoutError(TimeoutError):
    """Setting up the agent took longer than the setup timeout."""


class AgentTimeoutError(TimeoutError):
    """The agent ran into its timeout. Its work is still verified."""


class VerifierTimeoutError(TimeoutError):
    """The verifier of a single-step task ran into its timeout."""


class NonZeroAgentExitCodeError(RuntimeError):
    """The agent's command failed. The agent's work is still verified."""


class HealthcheckError(RuntimeError):
    """A healthcheck failed, and no retries are left."""


def with_cause(message: str, cause: BaseException | str) -> str:
    """Add the first line of the cause to a message, unless the words in that line change the message's reason code.

    The cause is an exception, or the output of a program that failed.
    """
    full = f"{message}: {str(cause).strip().partition('\n')[0] or type(cause).__name__}"
    return full if reason_code(full) == reason_code(message) else message


class AddTestsDirError(Exception):
    """The tests could not be uploaded."""


class DownloadVerifierDirError(Exception):
    """The verifier's files could not be downloaded."""


class TaskError(Exception):
    """A task cannot be run. The message is one line with the directory, the problem and the remedy."""

    def __init__(self, directory: Path, what: str) -> None:
        super().__init__(f"{directory}: {what}")
        self.directory, self.what = directory, what


class InvalidTask(TaskError):
    """The directory is not a task for Harbor either: Harbor leaves it out of a dataset."""


class FatalTask(TaskError):
    """The task makes Harbor's whole job end with an error, even if the task is in a dataset."""


class UnsupportedTask(TaskError):
    """Harbor would run the task, but this driver cannot."""
