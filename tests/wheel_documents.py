"""The documents of a job's folder, written by the wheel's own models for settings of this driver.

The wheel writes sets in an order that changes from run to run, so they are sorted first.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast
from uuid import UUID

from harbor.job import Job as HarborJob
from harbor.models.job.config import DatasetConfig, JobConfig
from harbor.models.job.lock import HarborLockInfo, JobLock, build_job_lock
from harbor.models.job.result import JobResult
from harbor.models.metric.config import MetricConfig
from harbor.models.task.task import Task
from harbor.models.trial.config import EnvironmentConfig, TaskConfig, TrialConfig
from harbor.models.trial.result import ExceptionInfo, TimingInfo, TrialResult
from harbor.publisher.packager import Packager
from harbor.utils.env import get_required_host_vars, resolve_env_vars, templatize_sensitive_env

from parity.driver.settings import JobSettings
from parity.reference.configurations import agent_config, multipliers, retry_config, verifier_config

_MODELS = {
    "job config": JobConfig,
    "trial config": TrialConfig,
    "job result": JobResult,
    "trial result": TrialResult,
    "job lock": JobLock,
}


def job_config(settings: JobSettings) -> Any:
    """Return the settings as the wheel's own model."""
    return JobConfig(
        job_name=settings.job_name,
        jobs_dir=settings.jobs_dir,
        n_attempts=settings.n_attempts,
        **multipliers(settings.multipliers),
        n_concurrent_trials=settings.n_concurrent,
        quiet=settings.quiet,
        retry=retry_config(settings.retry),
        environment=EnvironmentConfig(
            type=settings.environment.type,
            import_path=settings.environment.import_path,
            kwargs=dict(settings.environment.kwargs),
        ),
        verifier=verifier_config(
            settings.verifier_timeouts, settings.verifier_env, disable=settings.disable_verification
        ),
        metrics=[MetricConfig(type=metric) for metric in settings.metrics],
        agents=[agent_config(agent) for agent in settings.agents],
        datasets=[DatasetConfig(path=path, n_tasks=settings.n_tasks) for path in settings.datasets],
        tasks=[TaskConfig(path=path) for path in settings.tasks],
    )


def trial_configs(settings: JobSettings, tasks: Sequence[tuple[Path, str | None]], job_id: UUID) -> list[Any]:
    """Return the configurations that the wheel's job makes of tasks, each with the name of its dataset."""
    config = job_config(settings)
    job = SimpleNamespace(
        config=config,
        job_dir=config.jobs_dir / config.job_name,
        _task_configs=[TaskConfig(path=path, source=source) for path, source in tasks],
        _id=job_id,
    )
    HarborJob._init_trial_configs(cast("HarborJob", job))
    return cast("list[Any]", job._trial_configs)


def lock_text(settings: JobSettings, trials: Sequence[Any], created_at: datetime, invocation: list[str]) -> str:
    """Return lock.json for the wheel's own configurations of trials, without the wheel's version."""
    lock = build_job_lock(config=job_config(settings), trial_configs=trials, invocation=invocation)
    lock.harbor = HarborLockInfo()
    lock.created_at = created_at
    return text_of_model(lock, exclude_none=True)


def text_of_model(model: Any, *, exclude_none: bool = False) -> str:
    """Return the text that the wheel writes for a model, with its sets sorted."""
    retry = getattr(model, "retry", None)
    if retry is not None:
        for name in ("include_exceptions", "exclude_exceptions"):
            value = getattr(retry, name)
            setattr(retry, name, value if value is None else sorted(value))
    return str(model.model_dump_json(indent=4, exclude_none=exclude_none, warnings=False))


def reloaded(kind: str, text: str) -> str:
    """Return a document after the wheel's model has read and written it.

    Raises:
        pydantic.ValidationError: the wheel refuses the document.
    """
    model = _MODELS[kind].model_validate_json(text)
    if kind == "job result":
        return str(model.model_dump_json(indent=4, exclude={"trial_results"}))
    return text_of_model(model)


def reloaded_lock(text: str) -> str:
    """Return lock.json after the wheel's model has read and written it."""
    return text_of_model(JobLock.model_validate_json(text), exclude_none=True)


def exception_text(error: BaseException, occurred_at: datetime) -> str:
    """Return `exception_info` as the wheel makes it of an error that is being handled."""
    info = ExceptionInfo.from_exception(error)
    info.occurred_at = occurred_at
    return str(info.model_dump_json(indent=4))


def timing_text(started_at: datetime | None, finished_at: datetime | None) -> str:
    """Return the text of a phase's timing."""
    return str(TimingInfo(started_at=started_at, finished_at=finished_at).model_dump_json(indent=4))


def task_checksum(task: Path) -> str:
    """Return the checksum of a task that the wheel records in a trial's result."""
    folder = TaskConfig(path=task).get_local_path()
    checksum: Any = Task.checksum
    return str(checksum.fget(SimpleNamespace(_task_dir=folder)))


def content_hash(task: Path) -> str:
    """Return the digest of a task that the wheel records in lock.json, without its prefix."""
    return str(Packager.compute_content_hash(TaskConfig(path=task).get_local_path())[0])


def resolve(env: Mapping[str, str]) -> dict[str, str]:
    """Return the variables, with templates replaced by variables of this process.

    Raises:
        ValueError: a variable is missing.
    """
    return dict(resolve_env_vars(dict(env)))


def required_variables(env: Mapping[str, str]) -> list[tuple[str, str | None]]:
    """Return names and defaults of the templates in the values."""
    return list(get_required_host_vars(dict(env)))


def templatize(env: Mapping[str, str]) -> dict[str, str]:
    """Return the variables in the form of the wheel's documents."""
    return dict(templatize_sensitive_env(dict(env)))
