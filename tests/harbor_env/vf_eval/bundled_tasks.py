"""An environment for `vf-eval`, which loads it by calling `load_environment`."""

from parity.harbor_env.for_verifiers import HarborEnv
from tests.harbor_env.verifiers.rollouts import NOWHERE


def load_environment(tasks: str, run_command: str) -> HarborEnv:
    """Return an environment on local sandboxes."""
    return HarborEnv(
        run_command, tasks, sandboxes="local", interception_url=NOWHERE, timeout_seconds=60, poll_interval=0.2
    )
