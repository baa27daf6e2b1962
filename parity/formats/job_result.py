"""result.json of a job. Mirrors harbor.models.job.result."""

from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

from pydantic import AfterValidator, TypeAdapter, model_validator

from parity.formats.configuration import TrialConfiguration
from parity.formats.document import Document
from parity.formats.trial_result import TrialResult

_COUNTS = (
    "n_completed_trials",
    "n_errored_trials",
    "n_running_trials",
    "n_pending_trials",
    "n_cancelled_trials",
    "n_retries",
)
_OLDER_NAMES = {"n_trials": "n_completed_trials", "n_errors": "n_errored_trials"}


_NUMBER: TypeAdapter[float | int] = TypeAdapter(float | int)


def _number_as_written(text: str) -> str:
    _NUMBER.validate_python(text)
    return text


RewardText = Annotated[str, AfterValidator(_number_as_written)]
"""A reward as a key, in the spelling of the file."""


class RecordedGroup(Document):
    """The stats of an agent, a model and a dataset."""

    n_trials: int = 0
    n_errors: int = 0
    metrics: list[dict[str, Any]] = []
    pass_at_k: dict[int, float] = {}
    reward_stats: dict[str, dict[RewardText, list[str]]] = {}
    exception_stats: dict[str, list[str]] = {}


class RecordedStats(Document):
    """The stats of a job."""

    n_completed_trials: int = 0
    n_errored_trials: int = 0
    n_running_trials: int = 0
    n_pending_trials: int = 0
    n_cancelled_trials: int = 0
    n_retries: int = 0
    evals: dict[str, RecordedGroup] = {}
    n_input_tokens: int | None = None
    n_cache_tokens: int | None = None
    n_output_tokens: int | None = None
    cost_usd: float | None = None


class JobResult(Document):
    """result.json of a job."""

    id: UUID
    started_at: datetime
    updated_at: datetime | None = None
    finished_at: datetime | None = None
    n_total_trials: int
    stats: RecordedStats
    trial_results: list[TrialResult[TrialConfiguration, float | int]] = []

    @model_validator(mode="before")
    @classmethod
    def _from_older_versions(cls, data: Any) -> Any:
        """Add the counts and the time that older versions of Harbor kept elsewhere. Missing stats count as empty."""
        if not isinstance(data, dict):
            return data
        status, stats = (found if isinstance(found := data.get(name), dict) else {} for name in ("status", "stats"))
        # Rules: run-job/resume-legacy-retries, run-job/resume-legacy-damaged
        counts = {
            **{name: status[name] for name in _COUNTS if name in status},
            **{name: stats[older] for older, name in _OLDER_NAMES.items() if older in stats},
            **stats,
        }
        updated = data.get("updated_at")
        if updated is None:
            updated = status.get("updated_at") or data.get("finished_at") or data.get("started_at")
        return {**data, "stats": counts, "updated_at": updated}
