"""`HarborEnv` of TRL's Harbor integration: its property `reward`, over the `Verifier` of the installed Harbor.

Replaced is the environment that `reset()` would start, in which commands do nothing and the verifier's folder is
mounted, and the thread that runs its event loop. Its reward is one float, which is answered as `{"reward": float}`.
"""

import os
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

from parity.runners.bridges.event_loop import EventLoop
from parity.runners.bridges.harbor_environment import HarborEnvironment
from parity.runners.bridges.task_folder import task_folder
from parity.runners.third_party import named, quietly, third_party

os.environ.setdefault("TRL_EXPERIMENTAL_SILENCE", "1")

_INSTALL = "trl harbor>=0.13"
_HARBOR_ENV = third_party("trl.experimental.harbor._env", install=_INSTALL)
_TASK = third_party("harbor.models.task.task", install=_INSTALL)
_PATHS = third_party("harbor.models.trial.paths", install=_INSTALL)


class TrlReward:
    """One of its environments for every case, as if it had been reset to a new trial."""

    def __init__(self) -> None:
        self.name = named("trl", "HarborEnv")
        self.sandbox: HarborEnvironment | None = None
        with quietly():
            self._environment = _EnvOnOneThread()
            self._environment._task = _TASK.Task(task_folder())

    def read_reward(self, directory: Path) -> dict[str, float]:
        """What the trainer reads after a rollout. The folder must be called `verifier`, as in a trial."""
        self.sandbox = HarborEnvironment(directory)
        self._environment._env = self.sandbox
        self._environment._paths = _PATHS.TrialPaths(directory.parent)
        self._environment._reward = _HARBOR_ENV._NO_REWARD
        with quietly():
            return {"reward": self._environment.reward}


class _EnvOnOneThread(_HARBOR_ENV.HarborEnv):  # type: ignore[misc, name-defined]
    """One that waits for its coroutines itself, so that whatever they raise arrives here."""

    def __init__(self) -> None:
        super().__init__()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._loop_thread.join()
        self._loop.close()
        self._here = EventLoop()

    def _run(self, coro: Coroutine[Any, Any, Any]) -> Any:
        return self._here.run(coro)

    def __del__(self) -> None:
        """There is nothing to stop."""
