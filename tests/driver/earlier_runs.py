"""Jobs in the state that earlier runs leave, written with the driver's own documents."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from uuid import UUID

from parity.driver.documents.configurations import PlannedTrial, job_config_tree, trial_config_tree
from parity.driver.documents.lock import lock_tree
from parity.driver.documents.result_trees import Failure, TrialRecord, VerifierResult
from parity.driver.documents.resume import EarlierRuns, resume
from parity.driver.documents.writing import time_text, write_text
from parity.driver.settings import JobSettings
from parity.scorer.result_text import Tree, text_of
from parity.scorer.stats import Progress, Stats, job_document
from parity.scorer.values import Rewards

JOB_ID = UUID("12345678-1234-4234-8234-123456789abc")
STARTED = datetime(2026, 1, 2, 3, 4, 5, 678)
_THEN = datetime(2026, 1, 2, 3, 4, 6, tzinfo=UTC)


@dataclass(frozen=True)
class EarlierJob:
    """A job and its folder."""

    settings: JobSettings
    planned: tuple[PlannedTrial, ...]

    @property
    def folder(self) -> Path:
        return self.settings.folder

    def planned_again(self) -> list[PlannedTrial]:
        """Return the same plan with other trial names, as another run makes it."""
        return [
            replace(trial, name=f"{trial.task.name}__again{number:02}") for number, trial in enumerate(self.planned)
        ]

    def resume(self, lock: Mapping[str, Tree] | None = None) -> EarlierRuns | None:
        """Prepare the folder for another run, which has this lock, and return the results of earlier runs."""
        return resume(self.settings, self.planned_again(), lock or lock_tree(self.settings, (), _THEN))

    def write(self, *, retries: int = 0) -> None:
        """Write config.json and result.json of the job."""
        self.folder.mkdir(parents=True)
        write_text(self.folder / "config.json", text_of(job_config_tree(self.settings)))
        at = time_text(STARTED)
        identity = {"id": str(JOB_ID), "started_at": at, "updated_at": at, "finished_at": None}
        document = job_document(identity, len(self.planned), Stats(), Progress(0, 0, retries))
        write_text(self.folder / "result.json", text_of(document))

    def begin(self, trial: PlannedTrial) -> TrialRecord:
        """Leave an unfinished trial."""
        record = record_of(self.settings, trial)
        (record.folder / "agent").mkdir(parents=True)
        write_text(record.folder / "config.json", text_of(record.config))
        return record

    def end(self, trial: PlannedTrial, *, rewards: Rewards | None = None, error: str | None = None) -> None:
        """Leave a finished trial."""
        record = self.begin(trial)
        record.finished_at = _THEN
        record.verifier_result = VerifierResult(rewards)
        record.failure = None if error is None else Failure(error, "", "", STARTED)
        write_text(self.folder / trial.name / "result.json", text_of(record.tree()))


def record_of(settings: JobSettings, trial: PlannedTrial) -> TrialRecord:
    """Return the record of a trial that has begun."""
    config, folder = trial_config_tree(settings, trial, job_id=str(JOB_ID)), settings.folder / trial.name
    return TrialRecord(
        JOB_ID, trial.task.name, trial.name, folder, trial.task, trial.source, "", config, "oracle", "1", _THEN
    )


def earlier_job(jobs: Path, tasks: Sequence[str] = ("a", "b"), attempts: int = 2) -> EarlierJob:
    """Return a job with a folder in `jobs`, which is not written yet."""
    planned = [
        PlannedTrial(Path("tasks", task), None, f"{task}__{number:05}xY")
        for number in range(attempts)
        for task in tasks
    ]
    paths = tuple(Path("tasks", task) for task in tasks)
    return EarlierJob(JobSettings("job", jobs, tasks=paths, n_attempts=attempts), tuple(planned))
