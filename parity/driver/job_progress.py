"""Write the documents of a running job: result.json with the stats so far, and job.log.

Harbor writes result.json whenever a trial starts or ends, which costs more the more trials a job has. Here it is
written less often, so that writing takes a small part of the time. Each time it has the text that Harbor would write
then.
"""

import fcntl
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from uuid import UUID

from parity.driver.documents.writing import time_text, write_text
from parity.scorer.job import Event
from parity.scorer.job_stats import RunningStats
from parity.scorer.result_text import Tree, text_of
from parity.scorer.stats import Stats, job_document

_PAUSE = 20
"""Pause after a write, as a multiple of the write's duration."""


class JobFolderInUse(Exception):
    """Another process runs a job in this folder."""


@dataclass
class JobProgress:
    """The documents of a running job."""

    folder: Path
    id: UUID
    started_at: datetime
    total: int
    running: RunningStats
    _rests_until: float = 0.0
    _is_behind: bool = False

    def on_event(self, event: Event) -> None:
        """Add an event of a trial to the stats, and write them if it is time.

        Raises:
            OverflowError: a metric, or the number that the progress bar shows, is beyond the range of a double.
        """
        if self._is_behind and self.running.may_fail(event):
            self.write()  # Harbor does not write the changes of a failing event before the next event
        self.running.apply(event)
        self._is_behind = True
        began = time.monotonic()
        if began >= self._rests_until:
            self.write()
            ended = time.monotonic()
            self._rests_until = ended + _PAUSE * (ended - began)
        self.running.show(event)

    def write(self) -> None:
        """Write the stats as they are now."""
        self._put(self.running.current(), datetime.now(UTC), None)

    def catch_up(self) -> None:
        """Write the stats if they have changed since the last write."""
        if self._is_behind:
            self.write()

    def finish(self, stats: Stats) -> Tree:
        """Write the final stats, and return the document."""
        now = datetime.now()
        return self._put(stats, now, now)

    def _put(self, stats: Stats, updated_at: datetime, finished_at: datetime | None) -> Tree:
        # Rule: run-job/stats
        identity = {
            "id": str(self.id),
            "started_at": time_text(self.started_at),
            "updated_at": time_text(updated_at),
            "finished_at": time_text(finished_at),
        }
        document = job_document(identity, self.total, stats, self.running.progress)
        write_text(self.folder / "result.json", text_of(document))
        self._is_behind = False
        return document


class JobLog:
    """job.log, with a lock that keeps a second process out of the folder."""

    def __init__(self, folder: Path) -> None:
        self._file = (folder / "job.log").open("a", encoding="utf-8", errors="replace")
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self._file.close()
            raise JobFolderInUse(
                f"{folder}: another process runs this job; wait for it, or give the job another name"
            ) from None

    def __enter__(self) -> "JobLog":
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def write(self, line: str) -> None:
        """Add a line, with the time."""
        self._file.write(f"{datetime.now().isoformat(sep=' ', timespec='seconds')} {line}\n")
        self._file.flush()
