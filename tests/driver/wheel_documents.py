"""Reads and writes the documents in a job's directory with the wheel's own models.

The wheel writes sets in an order that changes from run to run, so they are sorted first.
"""

from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from harbor.models.job.config import JobConfig
from harbor.models.job.lock import JobLock, build_job_lock
from harbor.models.task.task import Task
from harbor.models.trial.config import TaskConfig, TrialConfig
from harbor.models.trial.result import TrialResult
from harbor.publisher.packager import Packager
from harbor.utils.env import get_required_host_vars, resolve_env_vars, templatize_sensitive_env

_MODELS = {
    "job config": JobConfig,
    "trial config": TrialConfig,
    "trial result": TrialResult,
    "job lock": JobLock,
}


def reloaded(kind: str, text: str) -> str:
    """Return the document's text after the wheel's model has read and written it.

    Raises:
        pydantic.ValidationError: the wheel refuses the document.
    """
    model = _MODELS[kind].model_validate_json(text)
    retry = getattr(model, "retry", None)
    if retry is not None:
        for name in ("include_exceptions", "exclude_exceptions"):
            value = getattr(retry, name)
            setattr(retry, name, value if value is None else sorted(value))
    return str(model.model_dump_json(indent=4, warnings=False))


def sanitized(arguments: list[str]) -> list[str]:
    """Return the command line as the wheel writes it to lock.json."""
    lock = build_job_lock(config=JobConfig(), trial_configs=[], invocation=arguments)
    return list(JobLock.model_validate_json(lock.model_dump_json()).invocation)


def task_checksum(task: Path) -> str:
    """Return the task's checksum that the wheel records in a trial's result."""
    directory = TaskConfig(path=task).get_local_path()
    checksum: Any = Task.checksum
    return str(checksum.fget(SimpleNamespace(_task_dir=directory)))


def content_hash(task: Path) -> str:
    """Return the task's digest that the wheel records in lock.json, without its prefix."""
    return str(Packager.compute_content_hash(TaskConfig(path=task).get_local_path())[0])


def resolve(env: Mapping[str, str]) -> dict[str, str]:
    """Return the variables, with templates replaced by variables of this process.

    Raises:
        ValueError: a variable is missing.
    """
    return dict(resolve_env_vars(dict(env)))


def required_variables(env: Mapping[str, str]) -> list[tuple[str, str | None]]:
    """Return the name and the default value of each template in the values."""
    return list(get_required_host_vars(dict(env)))


def templatize(env: Mapping[str, str]) -> dict[str, str]:
    """Return the variables as the wheel writes them to documents."""
    return dict(templatize_sensitive_env(dict(env)))
