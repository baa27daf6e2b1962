"""Write config.json of a job and of its trials.

The settings are read by models of Harbor's documents, which decide the fields, their order and all defaults. Harbor
writes sets in an order that changes from run to run; here they are sorted.
Mirrors harbor.models.job.config and harbor.models.trial.config.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from parity.driver.documents.templates import templatize
from parity.driver.settings import AgentSettings, JobSettings, RetrySettings
from parity.formats.configuration import JobConfiguration, TrialConfiguration
from parity.scorer.result_text import Tree

COMMAND_AGENT = "parity.reference.command_agent:CommandAgent"
"""Import path of the agent `command` for Harbor."""


@dataclass(frozen=True)
class PlannedTrial:
    """One planned trial of a job."""

    task: Path
    """The task's folder as Harbor would name it: not resolved."""

    source: str | None
    """Name of the dataset; None for a task that was named directly."""

    name: str
    agent: int = 0
    """Index of the trial's agent among the job's agents."""


def trial_config_tree(
    settings: JobSettings, trial: PlannedTrial, *, job_id: str, host: Mapping[str, str] = os.environ
) -> dict[str, Tree]:
    """Return config.json of one of the job's trials.

    Args:
        settings: the job's settings.
        trial: the trial.
        job_id: a UUID.
        host: the host's variables. Secrets among them become templates.
    """
    # Rule: run-trial/config
    return _written(
        TrialConfiguration.model_validate(
            {
                **_run(settings, host),
                "task": {"path": str(trial.task), "source": trial.source},
                "trial_name": trial.name,
                "trials_dir": str(settings.folder),
                "agent": _agent(settings.agents[trial.agent], host),
                "job_id": job_id,
            }
        )
    )


def job_config_tree(settings: JobSettings, *, host: Mapping[str, str] = os.environ) -> dict[str, Tree]:
    """Return config.json of the job."""
    choice = {
        "task_names": [*settings.task_names] or None,
        "exclude_task_names": [*settings.exclude_task_names] or None,
        "n_tasks": settings.n_tasks,
    }
    # Rule: run-job/config
    return _written(
        JobConfiguration.model_validate(
            {
                **_run(settings, host),
                "job_name": settings.job_name,
                "jobs_dir": str(settings.jobs_dir),
                "n_attempts": settings.n_attempts,
                "n_concurrent_trials": settings.n_concurrent,
                "quiet": settings.quiet,
                "retry": _retry(settings.retry),
                "metrics": [{"type": metric} for metric in settings.metrics],
                "agents": [_agent(agent, host) for agent in settings.agents],
                "datasets": [{"path": str(path), **choice} for path in settings.datasets],
                "tasks": [{"path": str(path)} for path in settings.tasks],
            }
        )
    )


def _run(settings: JobSettings, host: Mapping[str, str]) -> dict[str, object]:
    """Return the fields that a job and its trials share."""
    multipliers, environment = settings.multipliers, settings.environment
    return {
        "timeout_multiplier": multipliers.all,
        "agent_timeout_multiplier": multipliers.agent,
        "verifier_timeout_multiplier": multipliers.verifier,
        "agent_setup_timeout_multiplier": multipliers.agent_setup,
        "environment_build_timeout_multiplier": multipliers.environment_build,
        "environment": {
            "type": environment.type,
            "import_path": environment.import_path,
            "kwargs": dict(environment.kwargs),
        },
        "verifier": {
            "override_timeout_sec": settings.verifier_timeouts.override,
            "max_timeout_sec": settings.verifier_timeouts.max,
            "env": templatize(settings.verifier_env, host),
            "disable": settings.disable_verification,
        },
    }


def _retry(retry: RetrySettings) -> dict[str, object]:
    return {
        "max_retries": retry.max_retries,
        "include_exceptions": None if retry.include is None else [*retry.include],
        "exclude_exceptions": None if retry.exclude is None else [*retry.exclude],
        "wait_multiplier": retry.wait_multiplier,
        "min_wait_sec": retry.min_wait_sec,
        "max_wait_sec": retry.max_wait_sec,
    }


def _agent(agent: AgentSettings, host: Mapping[str, str]) -> dict[str, object]:
    is_command = agent.name == "command"
    return {
        "name": None if is_command else agent.name,
        "import_path": COMMAND_AGENT if is_command else None,
        "model_name": agent.model,
        "override_timeout_sec": agent.override_timeout,
        "override_setup_timeout_sec": agent.override_setup_timeout,
        "max_timeout_sec": agent.max_timeout,
        "kwargs": {"command": agent.command} if is_command else {},
        "env": templatize(agent.env, host),
    }


def _written(config: TrialConfiguration | JobConfiguration) -> dict[str, Tree]:
    """Return a configuration without the verifier's fields that Harbor reads but does not write."""
    return config.model_dump(mode="json", exclude={"verifier": {"import_path", "kwargs"}})
