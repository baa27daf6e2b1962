"""Compare configurations by their values, as Harbor's models do, and not by their texts.

The order of members does not matter, nor does a whole number written as a float.
"""

import json
from collections.abc import Mapping

from parity.formats.configuration import JobConfiguration, TrialConfiguration
from parity.scorer.from_disk.differences import DocumentDifference, differences, parse

# Rule: run-job/resume-settings
_NOT_OF_THE_JOB = {"job_name", "debug"}
_NOT_OF_THE_TRIAL = {"trial_name", "job_id"}


def job_identity(config: JobConfiguration) -> dict[str, object]:
    """Return the fields of a job's configuration that are compared: all but its name and `debug`."""
    return config.model_dump(mode="json", exclude=_NOT_OF_THE_JOB)


def trial_identity(config: TrialConfiguration) -> str:
    """Return a text that is equal for equal trials: all fields of the configuration but its name and the job's id."""
    return canonical(config.model_dump(mode="json", exclude=_NOT_OF_THE_TRIAL))


def canonical(value: object) -> str:
    """Return a text that is equal for equal values."""
    return json.dumps(_plain(value), sort_keys=True)


def _plain(value: object) -> object:
    if isinstance(value, Mapping):
        return {name: _plain(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value


def first_difference(wanted: object, found: object) -> DocumentDifference | None:
    """Return the first place where two values differ, in the order of the first; None if they are equal."""
    if canonical(wanted) == canonical(found):
        return None
    left, right = (parse(json.dumps(_plain(value))) for value in (wanted, found))
    return next(differences(left, right))
