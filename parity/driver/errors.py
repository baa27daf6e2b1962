"""Errors of a trial, and of a task that cannot be run.

The class names of a trial's errors are Harbor's: result.json records them, and retries depend on them. Reason codes
depend on the words of a message. So a message quotes only what Harbor's message quotes, a command or a path, or the
cause if that leaves the code as it is. Rule: `run-trial/message-code`.
"""

from pathlib import Path

from parity.scorer.reason_code import reason_code


class EnvironmentStartTimeoutError(TimeoutError):
    """The sandbox took longer to start than `build_timeout_sec` allows."""


class AgentSetupTimeoutError(TimeoutError):
    """The agent took longer to set up than its setup timeout."""


class AgentTimeoutError(TimeoutError):
    """The agent ran into its timeout. Its work is still verified."""


class VerifierTimeoutError(TimeoutError):
    """The verifier of a single-step task ran into its timeout."""


class NonZeroAgentExitCodeError(RuntimeError):
    """The agent's command failed. The agent's work is still verified."""


class HealthcheckError(RuntimeError):
    """A healthcheck used up its retries."""


def with_cause(message: str, cause: BaseException | str) -> str:
    """Return a message with the first line of its cause, unless the words of that line give it another reason code.

    The cause is an error, or the output of a program that failed.
    """
    full = f"{message}: {str(cause).strip().partition('\n')[0] or type(cause).__name__}"
    return full if reason_code(full) == reason_code(message) else message


class AddTestsDirError(Exception):
    """The tests could not be uploaded."""


class DownloadVerifierDirError(Exception):
    """The verifier's files could not be downloaded."""


class TaskError(Exception):
    """A task that cannot be run. One line gives place, problem and remedy."""

    def __init__(self, directory: Path, what: str) -> None:
        super().__init__(f"{directory}: {what}")
        self.directory, self.what = directory, what


class InvalidTask(TaskError):
    """A directory that is not a task for Harbor either: Harbor leaves it out of a dataset."""


class FatalTask(TaskError):
    """A task that ends Harbor's whole job with an error, in a dataset too."""


class UnsupportedTask(TaskError):
    """A task that Harbor would run, and that this driver cannot run."""
