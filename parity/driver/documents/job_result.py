"""result.json of a job. Mirrors harbor.models.job.result, without the results of the trials."""

from datetime import datetime
from uuid import UUID

from parity.driver.documents.times import optional_time, time_text
from parity.scorer.result_text import Tree


def job_document(
    *,
    id: UUID,  # noqa: A002 - the field's name
    started_at: datetime,
    updated_at: datetime | None,
    finished_at: datetime | None,
    total: int,
    stats: Tree,
) -> dict[str, Tree]:
    """The document at some moment of the job.

    Args:
        id: the job's.
        started_at: when its first run began; this and all other times are local, without a zone.
        updated_at: when it last learned of a trial.
        finished_at: None while it runs.
        total: how many trials are planned.
        stats: as `parity.scorer.stats.Stats.tree` gives them.
    """
    # Rule: run-job/result
    return {
        "id": str(id),
        "started_at": time_text(started_at),
        "updated_at": optional_time(updated_at),
        "finished_at": optional_time(finished_at),
        "n_total_trials": total,
        "stats": stats,
    }
