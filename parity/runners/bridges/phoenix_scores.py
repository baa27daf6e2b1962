"""A bridge to the function by which the plugin of arize-phoenix-client makes evaluations of a trial's result.

Evaluations of other names than the trial's rewards, `infra_ok` and those of steps, are no scores of the trial.
"""

from parity.runners.bridges.trial_results import Means, harbor_result, means
from parity.runners.third_party import named, third_party

_SCORES = third_party("phoenix.client.harbor._scores", install="arize-phoenix-client")


class PhoenixScores:
    """A runner that gives each result to the plugin as Harbor does."""

    def __init__(self) -> None:
        self.name = named("arize-phoenix-client", "extract_evaluations")

    def trial_score(self, text: str) -> Means:
        """Return the evaluations of the trial's rewards."""
        result = harbor_result(text)
        keys = (result.verifier_result and result.verifier_result.rewards) or {}
        return means(text, {each.name: each.score for each in _SCORES.extract_evaluations(result) if each.name in keys})
