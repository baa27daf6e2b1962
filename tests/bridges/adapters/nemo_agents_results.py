"""A bridge to the function in nemo-platform's plugin for agents that reads a Harbor job's directory."""

from tests.bridges.adapters.third_party import named, quietly, third_party
from tests.bridges.adapters.trial_results import Means, job_directory, means

_RESULTS = third_party("nemo_agents_plugin.improvement.runners._harbor_results")


class NemoAgentsResults:
    """A runner that reads the reward of the only trial in a job's directory."""

    def __init__(self) -> None:
        self.name = named("nemo-platform", "parse_trial_result")

    def trial_score(self, text: str) -> Means:
        """Return the reward in the result, or None if there is no result or no reward."""
        with job_directory(text) as directory, quietly():
            result = _RESULTS.parse_trial_result(directory)
        return None if result is None or result.reward is None else means(text, {"reward": result.reward})
