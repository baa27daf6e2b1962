"""How this project scores Harbor tasks, as harbor-parity asks it: one method for each operation.

This is a sketch, which scores otherwise than Harbor in places: call your own code in its stead, add methods for other
operations, and leave out what you do not do. `parity check-runner parity_runner:Runner` shows in seconds what is wrong.
"""

import json
from collections.abc import Sequence
from pathlib import Path

Rewards = dict[str, float]


class RewardFileNotFoundError(Exception):
    """An error counts by the name of its class, which is that of Harbor's error."""


class Runner:
    """Asked many thousand times, so it keeps nothing between two questions."""

    name = "my-runner"

    def read_reward(self, directory: Path) -> Rewards | None:
        """The rewards that a verifier left in `/logs/verifier`, for which `directory` stands."""
        document, text = directory / "reward.json", directory / "reward.txt"
        if document.is_file():
            return {key: float(reward) for key, reward in json.loads(document.read_text()).items()}
        if text.is_file():
            return {"reward": float(text.read_text())}
        raise RewardFileNotFoundError(directory)

    def aggregate(self, metric: str, rewards: Sequence[Rewards | None]) -> Rewards:
        """The metric `mean`, `max`, `min` or `sum` over the rewards of all trials; None is a trial without any."""
        numbers = [(each or {}).get("reward", 0) for each in rewards]
        match metric:
            case "mean":
                return {metric: sum(numbers) / len(numbers)}
            case "max":
                return {metric: max(numbers)}
            case "min":
                return {metric: min(numbers)}
        return {metric: sum(numbers)}
