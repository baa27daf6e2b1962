"""A bridge to the function in agento11y-harbor that records a trial from a Harbor job in an experiment.

The bridge replaces the experiment's trial with an object that keeps the recorded scores. A trial that is marked as
errored is left out, because it has no verdict and its rewards are only diagnostic.
"""

from typing import Any

from tests.bridges.adapters.third_party import named, quietly, third_party
from tests.bridges.adapters.trial_results import Means, job_directory, means

_INTEGRATION = third_party("agento11y_harbor.integration")


class Agento11yTrial:
    """A runner that imports a job with one trial, as the package's importer does with its default settings."""

    def __init__(self) -> None:
        self.name = named("agento11y-harbor")

    def trial_score(self, text: str) -> Means:
        """Return the scores that are recorded for the trial."""
        recorded = _RecordedTrial()
        with job_directory(text) as directory, quietly():
            for trial_directory, result in _INTEGRATION._trial_records(directory):
                _INTEGRATION._record_guarded(
                    recorded,
                    None,
                    result,
                    trial_directory,
                    main_reward="reward",
                    pass_threshold=1.0,
                    upload_artifacts=False,
                    artifact_max_bytes=0,
                )
        return None if recorded.errored else means(text, recorded.scores)


class _RecordedTrial:
    """A trial in an experiment that keeps only its scores, and whether it is marked as errored."""

    def __init__(self) -> None:
        self.scores: dict[str, Any] = {}
        self.errored = False
        self.ref = _Reference()

    def score(self, name: str, value: Any, **options: Any) -> None:
        """Keep a score."""
        self.scores[name] = value

    def mark_errored(self, error: str) -> None:
        """Record that the trial has no verdict."""
        self.errored = True

    def __getattr__(self, name: str) -> Any:
        return lambda *values, **options: None


class _Reference:
    experiment_id = test_case_id = test_case_name = "trial"
    attempt = 0
