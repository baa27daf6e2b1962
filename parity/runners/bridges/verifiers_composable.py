"""The composable Harbor task set of verifiers 0.1.12 to 0.3: `HarborRubric.solved()` over a `HarborTaskSet`.

Replaced is the sandbox client that a rollout hands over. A reward is one float, which is answered as
`{"reward": float}`.
"""

from pathlib import Path

from parity.runners.bridges.event_loop import EventLoop
from parity.runners.bridges.prime_sandbox import PrimeSandbox
from parity.runners.bridges.task_folder import task_folder
from parity.runners.third_party import named, quietly, third_party

_PLACE = "envs.experimental.composable.tasksets.harbor.harbor"
_TASKSETS = third_party(
    f"verifiers.{_PLACE}", f"verifiers.legacy.{_PLACE}", install="verifiers>=0.1.12,<0.4 prime-sandboxes<0.3"
)


class HarborRubric:
    """One rubric for every case, with a client each."""

    def __init__(self) -> None:
        self.name = named("verifiers", "HarborRubric")
        self.sandbox: PrimeSandbox | None = None
        self._loop = EventLoop()
        with quietly():
            self._rubric = _TASKSETS.HarborRubric(_TASKSETS.HarborTaskSet(task_folder()))

    def read_reward(self, directory: Path) -> dict[str, float]:
        """What the rubric's function returns."""
        self.sandbox = PrimeSandbox(directory)
        info = {"task_dir": str(task_folder())}
        state = {"sandbox_client": self.sandbox, "sandbox_id": "bridge", "info": info}
        with quietly():
            return {"reward": self._loop.run(self._rubric.solved(state, info))}
