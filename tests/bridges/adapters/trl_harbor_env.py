"""A bridge to `HarborEnv.reward` in TRL's Harbor integration, which calls the installed Harbor's `Verifier`.

The bridge replaces the environment that `reset()` would start: commands do nothing, and the verifier's directory is
mounted. It also replaces the thread that runs the event loop. A reward is one float; the answer is `{"reward": float}`.
"""

import os
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

from tests.bridges.adapters.event_loop import run
from tests.bridges.adapters.harbor_environment import HarborEnvironment
from tests.bridges.adapters.task_directory import task_directory
from tests.bridges.adapters.third_party import named, quietly, third_party

os.environ.setdefault("TRL_EXPERIMENTAL_SILENCE", "1")

_HARBOR_ENV = third_party("trl.experimental.harbor._env")
_TASK = third_party("harbor.models.task.task")
_PATHS = third_party("harbor.models.trial.paths")


class TrlReward:
    """A runner with one `HarborEnv` for all cases, which is put into the state after a reset for each case."""

    def __init__(self) -> None:
        self.name = named("trl", "HarborEnv")
        with quietly():
            self._environment = _EnvOnOneThread()
            self._environment._task = _TASK.Task(task_directory())

    def read_reward(self, directory: Path) -> dict[str, float]:
        """Return the reward that the trainer reads after a rollout. The directory's name must be `verifier`."""
        sandbox = HarborEnvironment(directory)
        self._environment._env = sandbox
        self._environment._paths = _PATHS.TrialPaths(directory.parent)
        self._environment._reward = _HARBOR_ENV._NO_REWARD
        with quietly():
            return {"reward": self._environment.reward}


class _EnvOnOneThread(_HARBOR_ENV.HarborEnv):  # type: ignore[misc, name-defined]
    """A `HarborEnv` that runs its coroutines in this thread, so that their exceptions are raised here."""

    def __init__(self) -> None:
        super().__init__()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._loop_thread.join()
        self._loop.close()

    def _run(self, coro: Coroutine[Any, Any, Any]) -> Any:
        return run(coro)

    def __del__(self) -> None:
        """Do nothing: the loop and its thread have already stopped."""
