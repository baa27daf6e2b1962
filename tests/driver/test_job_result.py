"""result.json of a job has the text that the wheel writes."""

from datetime import datetime
from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st

from parity.driver.documents.writing import time_text
from parity.scorer.job import JobTrial, Usage
from parity.scorer.result_text import text_of
from parity.scorer.stats import Progress, Stats, job_document
from tests.wheel_documents import reloaded


@given(st.uuids(), st.datetimes(), st.none() | st.datetimes(), st.integers(0, 9))
def test_a_job_is_written_as_in_harbor(name: UUID, started: datetime, finished: datetime | None, running: int) -> None:
    """The wheel reads a job's result.json, and writes it with the same text."""
    stats = Stats()
    stats.add(JobTrial("oracle", None, "tasks", "a", {"reward": 0.5}, "a__1234567", "ValueError", (Usage(),)))
    times = {"started_at": started, "updated_at": finished or started, "finished_at": finished}
    identity = {"id": str(name), **{key: time_text(time) for key, time in times.items()}}

    document = job_document(identity, 9, stats, Progress(running, 0, 2))

    assert text_of(document) == reloaded("job result", text_of(document))
