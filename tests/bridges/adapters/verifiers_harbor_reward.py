"""A bridge to `harbor_reward` for the Harbor task set in verifiers 0.1.14, the first release with `verifiers.v1`.

The bridge replaces the sandbox client that the function makes. A reward is one float; the answer is
`{"reward": float}`.
"""

from pathlib import Path
from unittest import mock

from tests.bridges.adapters.event_loop import run
from tests.bridges.adapters.prime_sandbox import PrimeSandbox
from tests.bridges.adapters.task_directory import task_directory
from tests.bridges.adapters.third_party import named, quietly, third_party

_TASKSET = third_party("verifiers.v1.packages.tasksets.harbor")
_SANDBOXES = third_party("prime_sandboxes")


class HarborReward:
    """A runner that calls the function, with a new client for each case."""

    def __init__(self) -> None:
        self.name = named("verifiers", "harbor_reward")

    def read_reward(self, directory: Path) -> dict[str, float]:
        """Return the reward that the function returns."""
        sandbox = PrimeSandbox(directory)
        task, state = {"harbor": {"task_dir": str(task_directory())}}, {"sandbox_id": "bridge"}
        with quietly(), mock.patch.object(_SANDBOXES, "AsyncSandboxClient", return_value=sandbox):
            return {"reward": run(_TASKSET.harbor_reward(task, state))}
