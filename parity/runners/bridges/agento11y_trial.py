"""A bridge to the function of agento11y-harbor that records a trial of Harbor's job in an experiment.

The bridge replaces the experiment's trial with one that keeps what is recorded. A trial that is marked as errored has
no verdict, and its rewards are diagnostic, so it is left out.
"""

from typing import Any

from parity.runners.bridges.trial_results import Means, job_directory, means
from parity.runners.third_party import named, quietly, third_party

_INTEGRATION = third_party("agento11y_harbor.integration", install="agento11y-harbor")


class Agento11yTrial:
    """A runner that imports the job of one trial, as the importer does, with its default settings."""

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
    """A trial of an experiment that keeps only its scores, and whether it has an error."""

    def __init__(self) -> None:
        self.scores: dict[str, Any] = {}
        self.errored = False
        self.ref = _Reference()

    def score(self, name: str, value: Any, **options: Any) -> None:
        """Keep a score."""
        self.scores[name] = value

    def mark_errored(self, error: str) -> None:
        """Keep that the trial has no verdict."""
        self.errored = True

    def __getattr__(self, name: str) -> Any:
        return lambda *values, **options: None


class _Reference:
    experiment_id = test_case_id = test_case_name = "trial"
    attempt = 0
