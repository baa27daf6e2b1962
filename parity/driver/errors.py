"""What goes wrong in a trial. The class names are Harbor's own: result.json records them, and retries go by them.

So are reason codes by the words of messages: a message quotes what Harbor's quotes, a command or a path, and nothing
else that a task, a sandbox or a host has written. Rule: `run-trial/message-code`.
"""


class EnvironmentStartTimeoutError(TimeoutError):
    """The sandbox took longer to start than `build_timeout_sec` allows."""


class AgentSetupTimeoutError(TimeoutError):
    """The agent took longer to set up than it may."""


class AgentTimeoutError(TimeoutError):
    """The agent ran into its timeout. What it did is verified all the same."""


class VerifierTimeoutError(TimeoutError):
    """The verifier of a single-step task ran into its timeout."""


class NonZeroAgentExitCodeError(RuntimeError):
    """The agent's command failed. What it did is verified all the same."""


class HealthcheckError(RuntimeError):
    """A healthcheck failed as often as it may."""


class AddTestsDirError(Exception):
    """The tests could not be uploaded."""


class DownloadVerifierDirError(Exception):
    """What the verifier left could not be downloaded."""
