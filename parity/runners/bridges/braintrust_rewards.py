"""A bridge to the functions of braintrust by which its plugin for Harbor makes scores and metrics of a trial's result.

Both are averaged over an experiment, so both count. The configuration is the default one.
"""

from parity.runners.bridges.trial_results import Means, harbor_result, means
from parity.runners.third_party import named, third_party

_INSTALL = "braintrust"
_PLUGIN = third_party("braintrust.integrations.harbor.plugin", install=_INSTALL)
_REWARDS = third_party("braintrust.integrations.harbor.rewards", install=_INSTALL)
_CONFIG = third_party("braintrust.integrations.harbor.config", install=_INSTALL)


class BraintrustRewards:
    """A runner that gives each result to the plugin as Harbor does."""

    def __init__(self) -> None:
        self.name = named("braintrust", "classify_rewards")
        self._config = _CONFIG.PluginConfig()

    def trial_score(self, text: str) -> Means:
        """Return the scores and metrics of the trial's rewards."""
        conversion = _REWARDS.classify_rewards(_PLUGIN._rewards(harbor_result(text)), self._config)
        return means(text, {**conversion.metrics, **{score.name: score.value for score in conversion.scores}})
