"""`HarborReward` of strands-env, over the `Verifier` of the installed Harbor.

Replaced is the sandbox of its environment, in which commands do nothing and the verifier's folder is mounted. Its
reward is one float, which is answered as `{"reward": float}`; errors count as 0.0.
"""

from pathlib import Path
from types import SimpleNamespace

from parity.runners.bridges.event_loop import EventLoop
from parity.runners.bridges.harbor_environment import HarborEnvironment
from parity.runners.bridges.task_folder import task_folder
from parity.runners.third_party import named, quietly, third_party

_INSTALL = "strands-env[harbor]"
_REWARD = third_party("strands_env.environments.harbor.reward", install=_INSTALL)
_PATHS = third_party("harbor.models.trial.paths", install=_INSTALL)


class StrandsReward:
    """One function for each case, over a task whose trial has just ended."""

    def __init__(self) -> None:
        self.name = named("strands-env", "HarborReward")
        self.sandbox: HarborEnvironment | None = None
        self._loop = EventLoop()

    def read_reward(self, directory: Path) -> dict[str, float]:
        """The reward of its result. The folder must be called `verifier`, as in a trial."""
        self.sandbox = HarborEnvironment(directory)
        environment = SimpleNamespace(sandbox=self.sandbox, exec_timeout=60)
        paths = _PATHS.TrialPaths(directory.parent)
        task = SimpleNamespace(task_dir=str(task_folder()), trial_paths=paths, verifier_timeout=None)
        with quietly():
            return {"reward": self._loop.run(_REWARD.HarborReward(environment).compute(task, None)).reward}
