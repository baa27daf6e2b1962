"""A bridge to `HarborReward` of tinker-cookbook's Harbor recipe, which uploads and runs the tests and reads the reward.

The bridge replaces its sandbox. torch, which takes no part in scoring, need not be installed. A reward is one float;
the answer is `{"reward": float}`.
"""

import sys
from pathlib import Path
from unittest import mock

from tests.bridges.adapters.event_loop import run
from tests.bridges.adapters.sandbox import BridgeSandbox, Ended
from tests.bridges.adapters.task_directory import task_directory
from tests.bridges.adapters.third_party import named, quietly, third_party

third_party("tinker")
with mock.patch.dict(sys.modules, {} if "torch" in sys.modules else {"torch": mock.MagicMock()}):
    _TOOLS = third_party("tinker_cookbook.recipes.harbor_rl.harbor_tools")


class TinkerReward:
    """A runner with a new reward function and a new sandbox for each case."""

    def __init__(self) -> None:
        self.name = named("tinker-cookbook", "HarborReward")

    def read_reward(self, directory: Path) -> dict[str, float]:
        """Return the reward that the function returns at the end of an episode."""
        sandbox = _TinkerSandbox(directory)
        reward = _TOOLS.HarborReward(tests_dir=task_directory() / "tests", sandbox=sandbox)
        with quietly():
            return {"reward": run(reward([]))[0]}


class _TinkerSandbox(BridgeSandbox):
    """The cookbook's `SandboxInterface`, where the verifier has already run."""

    async def run_command(self, command: str, *rest: object, **options: object) -> Ended:
        self.check(command, "mkdir -p", "bash /tests/test.sh")
        return Ended()

    async def write_file(self, path: str, content: str | bytes, *rest: object, **options: object) -> Ended:
        self.check(f"write {path}", "/tests/")
        return Ended()

    async def read_file(self, path: str, *rest: object, **options: object) -> Ended:
        self.check(f"read {path}", "/logs/verifier/reward.")
        return self.cat(path)
