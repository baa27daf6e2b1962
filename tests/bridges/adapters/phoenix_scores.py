"""A bridge to the function with which arize-phoenix-client's plugin makes evaluations from a trial's result.

Evaluations that are not named after one of the trial's rewards (`infra_ok`, and those for steps) are left out, because
they are not scores of the trial.
"""

from tests.bridges.adapters.third_party import named, third_party
from tests.bridges.adapters.trial_results import Means, harbor_result, means

_SCORES = third_party("phoenix.client.harbor._scores")


class PhoenixScores:
    """A runner that passes each result to the plugin as Harbor does."""

    def __init__(self) -> None:
        self.name = named("arize-phoenix-client", "extract_evaluations")

    def trial_score(self, text: str) -> Means:
        """Return the evaluations for the trial's rewards."""
        result = harbor_result(text)
        keys = (result.verifier_result and result.verifier_result.rewards) or {}
        return means(text, {each.name: each.score for each in _SCORES.extract_evaluations(result) if each.name in keys})
