"""A bridge to `HarborEnv.compute_reward()` in verifiers 0.3.

The bridge replaces the sandbox client, which uploads and runs the tests and reads the reward. The environment is the
real one, made once. A reward is one float; the answer is `{"reward": float}`. The environment scores most faults 0.0.
"""

import atexit
import signal
from pathlib import Path
from unittest import mock

from tests.bridges.adapters.event_loop import run
from tests.bridges.adapters.prime_sandbox import PrimeSandbox
from tests.bridges.adapters.task_directory import dataset_directory, task_directory
from tests.bridges.adapters.third_party import named, quietly, third_party

with quietly():
    _HARBOR_ENV = third_party("verifiers").HarborEnv


class HarborEnv:
    """A runner with one environment for all cases, and a new client for each case."""

    def __init__(self) -> None:
        self.name = named("verifiers", "HarborEnv")
        dataset = dataset_directory()  # made before exit handlers are ignored, because it has one
        with quietly(), mock.patch.object(atexit, "register"), mock.patch.object(signal, "signal"):
            self._environment = _HARBOR_ENV(
                run_command="true",
                dataset_path=dataset,
                interception_url="http://127.0.0.1:1",
            )

    def read_reward(self, directory: Path) -> dict[str, float]:
        """Return the reward that `compute_reward` returns."""
        self._environment.sandbox_client = PrimeSandbox(directory)
        state = {"sandbox_id": "bridge", "harbor_task_dir": str(task_directory()), "task": "task", "error": None}
        with quietly():
            return {"reward": run(self._environment.compute_reward(state))}
