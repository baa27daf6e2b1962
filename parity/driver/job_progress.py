"""The documents of a running job: result.json, in which each event updates the stats, and job.log."""

import fcntl
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from uuid import UUID

from parity.driver.documents.writing import time_text, write_document
from parity.scorer.job import Event
from parity.scorer.job_stats import RunningStats
from parity.scorer.stats import Stats, job_document


class JobDirectoryInUse(Exception):
    """Another process is running a job in this directory."""


@dataclass
class JobProgress:
    """The result.json of a running job."""

    directory: Path
    id: UUID
    started_at: datetime
    total: int
    running: RunningStats

    def add(self, event: Event) -> None:
        """Add a trial's event to the stats, and write the stats.

        Raises:
            OverflowError: a metric, or the number in the progress bar, is beyond the range of a double.
        """
        self.running.apply(event)
        self.write()
        self.running.show(event)

    def write(self) -> None:
        """Write the current stats."""
        self._write(self.running.stats, datetime.now(UTC), None)

    def finish(self, stats: Stats) -> None:
        """Write the final stats."""
        now = datetime.now()
        self._write(stats, now, now)

    def _write(self, stats: Stats, updated_at: datetime, finished_at: datetime | None) -> None:
        # Rule: run-job/stats
        identity = {
            "id": str(self.id),
            "started_at": time_text(self.started_at),
            "updated_at": time_text(updated_at),
            "finished_at": None if finished_at is None else time_text(finished_at),
        }
        document = job_document(identity, self.total, stats, self.running.progress)
        write_document(self.directory / "result.json", document)


class JobLog:
    """A job's job.log. It is locked, so that no second process can run a job in the same directory."""

    def __init__(self, directory: Path) -> None:
        self._file = (directory / "job.log").open("a", encoding="utf-8", errors="replace")
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self._file.close()
            raise JobDirectoryInUse(
                f"{directory}: another process runs this job; wait for it, or give the job another name"
            ) from None

    def __enter__(self) -> "JobLog":
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def write(self, line: str) -> None:
        """Add a line that begins with the current time."""
        self._file.write(f"{datetime.now().isoformat(sep=' ', timespec='seconds')} {line}\n")
        self._file.flush()
