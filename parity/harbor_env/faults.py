"""Why a rollout has no reward: because of the agent, which a trainer should count, or of the infrastructure.

A trainer leaves out a rollout that has an error. An agent that breaks its tests, or that ends with an exit code, would
so be left out instead of punished. By default a fault is worth 0.0 and no error, as Harbor's own mean takes it, and
only what the infrastructure fails to do is an error.
"""

from collections.abc import Mapping
from typing import Any, Literal

from parity.driver.errors import (
    AddTestsDirError,
    AgentTimeoutError,
    DownloadVerifierDirError,
    NonZeroAgentExitCodeError,
    VerifierTimeoutError,
)
from parity.driver.sandbox import TransferError
from parity.harbor_env.errors import CommandFailed

type Faults = Literal["zero", "error"]
"""What a fault is to whoever trains: a reward of 0.0, or an error besides."""


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
