"""config.json of a job and of its trials. Mirrors harbor.models.job.config and harbor.models.trial.config.

Harbor writes sets in no order, which changes from run to run; they are sorted here.
"""

import os
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

from parity.driver.documents.templates import templatize
from parity.driver.settings import AgentSettings, EnvironmentSettings, JobSettings, Multipliers, RetrySettings
from parity.scorer.result_text import Tree

COMMAND_AGENT = "parity.reference.command_agent:CommandAgent"
"""Where Harbor finds the agent `command`."""


@dataclass(frozen=True)
class PlannedTrial:
    """One trial that a job is to run."""

    task: Path
    """The task's folder, as Harbor would name it: not resolved."""

    source: str | None
    """Name of the dataset; None for a task that is named by itself."""

    name: str
    agent: int = 0
    """Which of the job's agents attempts it, from 0."""


def trial_config_tree(
    settings: JobSettings,
    *,
    task: Path,
    source: str | None,
    trial_name: str,
    job_id: str,
    agent: int = 0,
    host: Mapping[str, str] = os.environ,
) -> dict[str, Tree]:
    """config.json of one of the job's trials.

    Args:
        settings: those of the job.
        task: the task's folder.
        source: name of the dataset; None for a task that is named by itself.
        trial_name: the trial's.
        job_id: a UUID.
        agent: which of the job's agents is the trial's, from 0.
        host: the variables of the host, of which secrets become templates.
    """
    # Rule: run-trial/config
    return {
        "task": _task_tree(task, source),
        "trial_name": trial_name,
        "trials_dir": str(settings.folder),
        **multipliers_tree(settings.multipliers),
        "agent": agent_tree(settings.agents[agent], host),
        "environment": environment_tree(settings.environment),
        "verifier": verifier_tree(settings, host),
        "artifacts": [],
        "extra_instruction_paths": [],
        "job_id": job_id,
    }


def job_config_tree(settings: JobSettings, *, host: Mapping[str, str] = os.environ) -> dict[str, Tree]:
    """config.json of the job."""
    # Rule: run-job/config
    return {
        "job_name": settings.job_name,
        "jobs_dir": str(settings.jobs_dir),
        "n_attempts": settings.n_attempts,
        **multipliers_tree(settings.multipliers),
        "debug": False,
        "n_concurrent_trials": settings.n_concurrent,
        "quiet": settings.quiet,
        "retry": retry_tree(settings.retry),
        "environment": environment_tree(settings.environment),
        "verifier": verifier_tree(settings, host),
        "metrics": [{"type": metric, "kwargs": {}} for metric in settings.metrics],
        "agents": [agent_tree(agent, host) for agent in settings.agents],
        "datasets": [_dataset_tree(path, settings) for path in settings.datasets],
        "tasks": [_task_tree(path, None) for path in settings.tasks],
        "artifacts": [],
        "extra_instruction_paths": [],
        "plugins": [],
    }


def multipliers_tree(multipliers: Multipliers) -> dict[str, Tree]:
    """The factors of timeouts, which are members of a larger object."""
    return {
        "timeout_multiplier": float(multipliers.all),
        "agent_timeout_multiplier": _float(multipliers.agent),
        "verifier_timeout_multiplier": _float(multipliers.verifier),
        "agent_setup_timeout_multiplier": _float(multipliers.agent_setup),
        "environment_build_timeout_multiplier": _float(multipliers.environment_build),
    }


def _float(value: float | None) -> float | None:
    return None if value is None else float(value)


def retry_tree(retry: RetrySettings) -> dict[str, Tree]:
    """`retry` of a job."""
    return {
        "max_retries": retry.max_retries,
        "include_exceptions": _sorted(retry.include),
        "exclude_exceptions": _sorted(retry.exclude),
        "wait_multiplier": float(retry.wait_multiplier),
        "min_wait_sec": float(retry.min_wait_sec),
        "max_wait_sec": float(retry.max_wait_sec),
    }


def _sorted(names: Collection[str] | None) -> Tree:
    return None if names is None else [*sorted(names)]


def agent_tree(agent: AgentSettings, host: Mapping[str, str]) -> dict[str, Tree]:
    """`agent` of a trial."""
    is_command = agent.name == "command"
    return {
        "name": None if is_command else agent.name,
        "import_path": COMMAND_AGENT if is_command else None,
        "model_name": agent.model,
        "skills": [],
        "override_timeout_sec": _float(agent.override_timeout),
        "override_setup_timeout_sec": _float(agent.override_setup_timeout),
        "max_timeout_sec": _float(agent.max_timeout),
        "extra_allowed_hosts": [],
        "kwargs": {"command": agent.command} if is_command else {},
        "env": templatize(agent.env, host),
        "mcp_servers": [],
    }


def environment_tree(environment: EnvironmentSettings) -> dict[str, Tree]:
    """`environment` of a job or trial; it is docker where nothing else is said."""
    unsaid = environment.type is None and environment.import_path is None
    return {
        "type": "docker" if unsaid else environment.type,
        "import_path": environment.import_path,
        "force_build": False,
        "delete": True,
        "cpu_enforcement_policy": "auto",
        "memory_enforcement_policy": "auto",
        "override_cpus": None,
        "override_memory_mb": None,
        "override_storage_mb": None,
        "override_gpus": None,
        "override_tpu": None,
        "mounts": None,
        "extra_docker_compose": [],
        "env": {},
        "kwargs": dict(environment.kwargs),
        "extra_allowed_hosts": [],
    }


def verifier_tree(settings: JobSettings, host: Mapping[str, str]) -> dict[str, Tree]:
    """`verifier` of a job or trial."""
    return {
        "override_timeout_sec": _float(settings.verifier_timeouts.override),
        "max_timeout_sec": _float(settings.verifier_timeouts.max),
        "env": templatize(settings.verifier_env, host),
        "disable": settings.disable_verification,
    }


def _task_tree(path: Path, source: str | None) -> dict[str, Tree]:
    return {
        "path": str(path),
        "git_url": None,
        "git_commit_id": None,
        "name": None,
        "ref": None,
        "overwrite": False,
        "download_dir": None,
        "source": source,
    }


def _dataset_tree(path: Path, settings: JobSettings) -> dict[str, Tree]:
    return {
        "path": str(path),
        "name": None,
        "version": None,
        "ref": None,
        "registry_url": None,
        "registry_path": None,
        "overwrite": False,
        "download_dir": None,
        "task_names": [*settings.task_names] or None,
        "exclude_task_names": [*settings.exclude_task_names] or None,
        "n_tasks": settings.n_tasks,
    }
