"""result.json of a job is what the wheel writes of the same job, and reads."""

from datetime import datetime
from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st

from parity.driver.job_progress import job_document
from parity.scorer.job import JobTrial, Usage
from parity.scorer.result_text import text_of
from parity.scorer.stats import Progress, Stats
from tests.wheel_documents import reloaded


@given(st.uuids(), st.datetimes(), st.none() | st.datetimes(), st.integers(0, 9))
def test_a_job_is_written_as_in_harbor(name: UUID, started: datetime, finished: datetime | None, running: int) -> None:
    """The wheel reads it, and writes it the same."""
    stats = Stats()
    stats.add(JobTrial("oracle", None, "tasks", "a", {"reward": 0.5}, "a__1234567", "ValueError", (Usage(),)))
    tree = stats.tree(9, Progress(running, 0, 2))

    document = job_document(
        id=name, started_at=started, updated_at=finished or started, finished_at=finished, total=9, stats=tree
    )

    assert text_of(document) == reloaded("job result", text_of(document))
