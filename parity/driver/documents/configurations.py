"""Write and compare config.json of a job and of its trials.

The settings are read by models of Harbor's documents, which decide the fields, their order and all defaults. Harbor
writes sets in an order that changes from run to run; here they are sorted. Two configurations are compared by their
values, as Harbor's models do: the order of members does not matter, nor does a whole number written as a float.
Mirrors harbor.models.job.config and harbor.models.trial.config.
"""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from parity.driver.documents.templates import templatize
from parity.driver.settings import AgentSettings, JobSettings, RetrySettings
from parity.formats.configuration import JobConfiguration, TrialConfiguration
from parity.scorer.from_disk.differences import DocumentDifference, differences, parse
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


# Rule: run-job/resume-settings
_NOT_OF_THE_JOB = {"job_name", "debug"}
_NOT_OF_THE_TRIAL = {"trial_name", "job_id"}


def job_identity(config: JobConfiguration) -> dict[str, object]:
    """Return the fields of a job's configuration that are compared: all but its name and `debug`."""
    return config.model_dump(mode="json", exclude=_NOT_OF_THE_JOB)


def trial_identity(config: TrialConfiguration) -> str:
    """Return a text that is equal for equal trials: all fields of the configuration but its name and the job's id."""
    return canonical(config.model_dump(mode="json", exclude=_NOT_OF_THE_TRIAL))


def canonical(value: object) -> str:
    """Return a text that is equal for equal values."""
    return json.dumps(_plain(value), sort_keys=True)


def _plain(value: object) -> object:
    if isinstance(value, Mapping):
        return {name: _plain(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value


def first_difference(wanted: object, found: object) -> DocumentDifference | None:
    """Return the first place where two values differ, in the order of the first; None if they are equal."""
    if canonical(wanted) == canonical(found):
        return None
    left, right = (parse(json.dumps(_plain(value))) for value in (wanted, found))
    return next(differences(left, right))
