"""Faults that no answer shows: runners that change what they are given."""

from collections.abc import Sequence

from parity.scorer import Trial
from tests.faulty.fault import Fault


class PopsKeys(Fault):
    """Takes each trial's reward out of its rewards."""

    breaks = "pass-at-k/leaves-its-input-alone"
    seen_by = "test_attempts"

    def pass_at_k(self, trials: Sequence[Trial]) -> dict[str, dict[int, float]]:
        answer = super().pass_at_k(trials)
        for trial in trials:
            if trial.rewards:
                trial.rewards.popitem()
        return answer
