"""Loads the documents of a job's folder with Harbor's own models."""

from pathlib import Path

from harbor.models.job.config import JobConfig
from harbor.models.job.lock import JobLock
from harbor.models.job.result import JobResult
from harbor.models.trial.config import TrialConfig
from harbor.models.trial.result import TrialResult


def load_job(folder: Path) -> tuple[JobResult, list[TrialResult]]:
    """Return all documents of a job.

    Raises:
        pydantic.ValidationError: a document does not fit Harbor's model.
    """
    JobConfig.model_validate_json((folder / "config.json").read_text())
    JobLock.model_validate_json((folder / "lock.json").read_text())
    trials = sorted(path.parent for path in folder.glob("*/config.json"))
    for trial in trials:
        TrialConfig.model_validate_json((trial / "config.json").read_text())
    results = [TrialResult.model_validate_json((trial / "result.json").read_text()) for trial in trials]
    return JobResult.model_validate_json((folder / "result.json").read_text()), results
