"""A bridge to the composable task set in verifiers 0.3: `HarborRubric.solved()` for a `HarborTaskSet`.

The bridge replaces a rollout's sandbox client. A reward is one float; the answer is `{"reward": float}`.
"""

from pathlib import Path

from tests.bridges.adapters.event_loop import run
from tests.bridges.adapters.prime_sandbox import PrimeSandbox
from tests.bridges.adapters.task_directory import task_directory
from tests.bridges.adapters.third_party import named, quietly, third_party

_TASKSETS = third_party("verifiers.legacy.envs.experimental.composable.tasksets.harbor.harbor")


class HarborRubric:
    """A runner with one rubric for all cases, and a new client for each case."""

    def __init__(self) -> None:
        self.name = named("verifiers", "HarborRubric")
        with quietly():
            self._rubric = _TASKSETS.HarborRubric(_TASKSETS.HarborTaskSet(task_directory()))

    def read_reward(self, directory: Path) -> dict[str, float]:
        """Return the reward that the rubric's function returns."""
        sandbox = PrimeSandbox(directory)
        info = {"task_dir": str(task_directory())}
        state = {"sandbox_client": sandbox, "sandbox_id": "bridge", "info": info}
        with quietly():
            return {"reward": run(self._rubric.solved(state, info))}
