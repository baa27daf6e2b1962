"""Errors of a trial. The class names are Harbor's: result.json records them, and retries depend on them.

Reason codes depend on the words of a message. So a message quotes only what Harbor's message quotes, a command or a
path, and no other text from a task, a sandbox or a host. Rule: `run-trial/message-code`.
"""


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


class AddTestsDirError(Exception):
    """The tests could not be uploaded."""


class DownloadVerifierDirError(Exception):
    """The verifier's files could not be downloaded."""
