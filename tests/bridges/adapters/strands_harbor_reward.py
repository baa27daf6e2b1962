"""A bridge to strands-env's `HarborReward`, which calls the installed Harbor's `Verifier`.

The bridge replaces the environment's sandbox: commands do nothing, and the verifier's directory is mounted. A
reward is one float; the answer is `{"reward": float}`. Errors count as 0.0.
"""

from pathlib import Path
from types import SimpleNamespace

from tests.bridges.adapters.event_loop import run
from tests.bridges.adapters.harbor_environment import HarborEnvironment
from tests.bridges.adapters.task_directory import task_directory
from tests.bridges.adapters.third_party import named, quietly, third_party

_REWARD = third_party("strands_env.environments.harbor.reward")
_PATHS = third_party("harbor.models.trial.paths")


class StrandsReward:
    """A runner with a new reward function for each case, for a task whose agent has already run."""

    def __init__(self) -> None:
        self.name = named("strands-env", "HarborReward")

    def read_reward(self, directory: Path) -> dict[str, float]:
        """Return the reward in the result. The directory's name must be `verifier`, as in a trial."""
        sandbox = HarborEnvironment(directory)
        environment = SimpleNamespace(sandbox=sandbox, exec_timeout=60)
        paths = _PATHS.TrialPaths(directory.parent)
        task = SimpleNamespace(task_dir=str(task_directory()), trial_paths=paths, verifier_timeout=None)
        with quietly():
            return {"reward": run(_REWARD.HarborReward(environment).compute(task, None)).reward}
