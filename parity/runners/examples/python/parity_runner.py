"""The interface of this project's scoring for harbor-parity: one method for each operation.

This is a sketch, and in places it does not score as Harbor does. Call your own code in its place, add methods for other
operations, and remove those that you do not support. `parity check-runner parity_runner:Runner` shows wrong answers in
seconds.
"""

import json
from collections.abc import Sequence
from pathlib import Path

Rewards = dict[str, float]


class RewardFileNotFoundError(Exception):
    """An error of Harbor's. Errors are compared by the names of their classes, so this one has Harbor's name."""


class Runner:
    """The runner. It is asked many thousand times, so it should keep no state between two questions."""

    name = "my-runner"

    def read_reward(self, directory: Path) -> Rewards | None:
        """Return the rewards in `directory`, which stands for the verifier's `/logs/verifier`."""
        document, text = directory / "reward.json", directory / "reward.txt"
        if document.is_file():
            return {key: float(reward) for key, reward in json.loads(document.read_text()).items()}
        if text.is_file():
            return {"reward": float(text.read_text())}
        raise RewardFileNotFoundError(directory)

    def aggregate(self, metric: str, rewards: Sequence[Rewards | None]) -> Rewards:
        """Return the metric `mean`, `max`, `min` or `sum` over all trials; None is a trial without rewards."""
        numbers = [(each or {}).get("reward", 0) for each in rewards]
        match metric:
            case "mean":
                return {metric: sum(numbers) / len(numbers)}
            case "max":
                return {metric: max(numbers)}
            case "min":
                return {metric: min(numbers)}
        return {metric: sum(numbers)}
