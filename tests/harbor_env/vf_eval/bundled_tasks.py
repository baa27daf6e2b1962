"""An environment for `vf-eval`: a module with `load_environment`."""

import parity.harbor_env.for_verifiers as ours
from parity.harbor_env.states import State


def load_environment(tasks: str, address: str, run_command: str) -> ours.HarborEnv:
    """Return an environment on local sandboxes, which reach this process at an address of the machine."""
    return _HarborEnv(
        run_command,
        tasks,
        sandboxes="local",
        network=True,
        interception_url=f"http://{address}",  # without its port, which is known when its server runs
        timeout_seconds=60,
        poll_interval=0.2,
    )


class _HarborEnv(ours.HarborEnv):
    async def build_env_vars(self, state: State) -> dict[str, str]:
        """Return the variables, with the port at which this process takes the agent's calls."""
        variables = await super().build_env_vars(state)
        here = f"{self.interception_url}:{self.interception_port}/"
        return {name: value.replace(f"{self.interception_url}/", here) for name, value in variables.items()}
