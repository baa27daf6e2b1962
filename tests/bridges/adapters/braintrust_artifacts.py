"""A bridge to braintrust-harbor's `parse_reward()`, which reads a trial's reward files for Braintrust.

The function reads the trial's directory itself, so the bridge replaces nothing. The answer is the returned dict of
floats.
"""

from pathlib import Path

from tests.bridges.adapters.third_party import named, quietly, third_party

_PARSE_REWARD = third_party("braintrust_harbor.artifacts").parse_reward


class BraintrustReward:
    """A runner that calls the function."""

    def __init__(self) -> None:
        self.name = named("braintrust-harbor")

    def read_reward(self, directory: Path) -> dict[str, float]:
        """Return the trial's scores. The directory's name must be `verifier`, as in a trial."""
        with quietly():
            return dict(_PARSE_REWARD(directory.parent))
