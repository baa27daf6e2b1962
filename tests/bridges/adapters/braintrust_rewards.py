"""A bridge to the functions with which braintrust's plugin for Harbor makes scores and metrics from a trial's result.

The answer contains both, because Braintrust averages both over an experiment. The configuration is the default one.
"""

from tests.bridges.adapters.third_party import named, third_party
from tests.bridges.adapters.trial_results import Means, harbor_result, means

_PLUGIN = third_party("braintrust.integrations.harbor.plugin")
_REWARDS = third_party("braintrust.integrations.harbor.rewards")
_CONFIG = third_party("braintrust.integrations.harbor.config")


class BraintrustRewards:
    """A runner that passes each result to the plugin as Harbor does."""

    def __init__(self) -> None:
        self.name = named("braintrust", "classify_rewards")
        self._config = _CONFIG.PluginConfig()

    def trial_score(self, text: str) -> Means:
        """Return the scores and metrics that the plugin makes from the trial's rewards."""
        conversion = _REWARDS.classify_rewards(_PLUGIN._rewards(harbor_result(text)), self._config)
        return means(text, {**conversion.metrics, **{score.name: score.value for score in conversion.scores}})
