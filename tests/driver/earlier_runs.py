"""Jobs in the state that earlier runs leave, written with the driver's own documents."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from uuid import UUID

from parity.driver.documents.configurations import written_trial
from parity.driver.documents.lock import lock_of
from parity.driver.documents.results import Result, verified
from parity.driver.documents.resume import EarlierRuns, resume
from parity.driver.documents.writing import time_text, write_document
from parity.driver.settings import Options
from parity.driver.task import Task
from parity.driver.trial import Trial
from parity.formats.configuration import JobConfiguration, TaskConfiguration
from parity.formats.lock import LockedJob
from parity.formats.task import TaskConfig
from parity.formats.trial_result import AgentInfo, ExceptionInfo, LocalTaskId
from parity.scorer.stats import Progress, Stats, job_document
from parity.scorer.values import Rewards

JOB_ID = UUID("12345678-1234-4234-8234-123456789abc")
STARTED = datetime(2026, 1, 2, 3, 4, 5, 678)
_THEN = datetime(2026, 1, 2, 3, 4, 6, tzinfo=UTC)


@dataclass(frozen=True)
class EarlierJob:
    """A job and its folder."""

    job: JobConfiguration
    planned: tuple[Trial, ...]

    @property
    def folder(self) -> Path:
        return self.job.jobs_dir / self.job.job_name

    def planned_again(self) -> list[Trial]:
        """Return the same plan with other trial names, as another run makes it."""
        return [
            replace(trial, name=f"{trial.task.name}__again{number:02}") for number, trial in enumerate(self.planned)
        ]

    def resume(self, lock: LockedJob | None = None) -> EarlierRuns | None:
        """Prepare the folder for another run, which has this lock, and return the results of earlier runs."""
        return resume(self.job, self.planned_again(), lock or lock_of(self.job, (), _THEN, None, {}), {})

    def write(self, *, retries: int = 0) -> None:
        """Write config.json and result.json of the job."""
        self.folder.mkdir(parents=True)
        write_document(self.folder / "config.json", self.job)
        at = time_text(STARTED)
        identity = {"id": str(JOB_ID), "started_at": at, "updated_at": at, "finished_at": None}
        document = job_document(identity, len(self.planned), Stats(), Progress(0, 0, retries))
        write_document(self.folder / "result.json", document)

    def begin(self, trial: Trial) -> Result:
        """Leave an unfinished trial."""
        result = result_of(trial)
        trial.folder.agent.mkdir(parents=True)
        write_document(trial.folder.path / "config.json", result.config)
        return result

    def end(self, trial: Trial, *, rewards: Rewards | None = None, error: str | None = None) -> None:
        """Leave a finished trial."""
        result = self.begin(trial)
        result.finished_at = _THEN
        result.verifier_result = verified(rewards)
        if error is not None:
            result.exception_info = ExceptionInfo(
                exception_type=error, exception_message="", exception_traceback="", occurred_at=STARTED
            )
        write_document(trial.folder.path / "result.json", result)


def result_of(trial: Trial) -> Result:
    """Return the result of a trial that has begun."""
    task = TaskConfiguration(path=trial.task.path, source=trial.source)
    return Result(
        task_name=trial.task.name,
        trial_name=trial.name,
        trial_uri=trial.folder.path.absolute().as_uri(),
        task_id=LocalTaskId(path=str(trial.task.path)),
        source=trial.source,
        task_checksum="",
        config=written_trial(trial.job, trial.agent, task, trial.name, JOB_ID),
        agent_info=AgentInfo(name="oracle", version="1"),
        started_at=_THEN,
    )


def planned_trial(job: JobConfiguration, task: Path, name: str, source: str | None = None) -> Trial:
    """Return a trial of a job's first agent at a task that need not exist."""
    return Trial(Task(task, task.absolute(), TaskConfig()), name, source, job, job.agents[0], Options())


def earlier_job(jobs: Path, tasks: Sequence[str] = ("a", "b"), attempts: int = 2) -> EarlierJob:
    """Return a job with a folder in `jobs`, which is not written yet."""
    configured = [TaskConfiguration(path=Path("tasks", task)) for task in tasks]
    job = JobConfiguration(job_name="job", jobs_dir=jobs, tasks=configured, n_attempts=attempts)
    planned = [
        planned_trial(job, Path("tasks", task), f"{task}__{number:05}xY")
        for number in range(attempts)
        for task in tasks
    ]
    return EarlierJob(job, tuple(planned))
