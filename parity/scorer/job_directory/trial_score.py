"""Compute the value of a trial's result.json in the mean of its job. Rules: `trial-score/*`.

Mirrors harbor.models.trial.result, harbor.metrics.mean and harbor.job in behaviour.
"""

import math

import pydantic

from parity.formats.configuration import TrialConfiguration
from parity.formats.errors import explain_json
from parity.formats.trial_result import TrialResult
from parity.scorer.errors import ValidationError
from parity.scorer.job_directory.trial_file import job_trial
from parity.scorer.job_stats import final_stats, metrics_of_datasets
from parity.scorer.series import OFFICIAL, Series

# Rules: trial-score/bad-reward, trial-score/coerced
TRIAL_RESULT = TrialResult[TrialConfiguration, float | int]
"""The model for a trial's result.json as Harbor reads the file: null is not accepted as a reward."""


def trial_score(text: str, *, series: Series = OFFICIAL) -> dict[str, float | None] | None:
    """Return the mean of a job whose only trial has this result.json.

    Returns:
        `{"mean": number}` for a trial with at most one reward, else a number for each reward key. None replaces a
        number that is nan or infinite. None if the job has no metric for the trial's group.

    Raises:
        ValidationError: Harbor's model rejects the text.
        OverflowError: a reward is an int beyond the range of a double.
    """
    try:
        # Rule: trial-score/duplicate-key
        result = TRIAL_RESULT.model_validate_json(text)
    # Rule: trial-score/refused
    except pydantic.ValidationError as error:
        raise ValidationError(f"result.json: {explain_json(error, text.encode())}") from None
    # Rules: trial-score/steps, trial-score/errored, trial-score/no-rewards
    trial = job_trial(result)
    # Rule: trial-score/dataset
    metrics = metrics_of_datasets((), () if not trial.source else (trial.source,))
    # Rules: trial-score/beyond-double, trial-score/several-keys, trial-score/only-key, trial-score/double,
    #   trial-score/value
    group = final_stats([trial], metrics, series).groups[trial.key]
    # Rule: trial-score/no-metric
    if not group.metrics:
        return None
    [means] = group.metrics
    # Rule: trial-score/not-finite
    return {key: mean if math.isfinite(mean) else None for key, mean in means.items()}
