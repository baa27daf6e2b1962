"""A bridge to braintrust-harbor's `parse_reward()`, which reads the reward files of a trial for Braintrust.

It reads the trial's directory itself, so nothing is replaced. The answer is its dict of floats.
"""

from pathlib import Path

from parity.runners.third_party import named, quietly, third_party

_PARSE_REWARD = third_party("braintrust_harbor.artifacts", install="braintrust-harbor").parse_reward


class BraintrustReward:
    """A runner over the function."""

    def __init__(self) -> None:
        self.name = named("braintrust-harbor")

    def read_reward(self, directory: Path) -> dict[str, float]:
        """Return the scores of the trial. The directory must be named `verifier`, as in a trial."""
        with quietly():
            return dict(_PARSE_REWARD(directory.parent))
