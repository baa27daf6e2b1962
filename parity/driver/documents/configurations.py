"""config.json of a job and of its trials. Mirrors harbor.models.job.config and harbor.models.trial.config.

A job's `JobConfiguration` is its settings. Written, it has no secrets.
"""

from collections.abc import Mapping
from pathlib import Path
from uuid import UUID

from parity.driver.documents.templates import templatize
from parity.formats.configuration import (
    AgentConfiguration,
    JobConfiguration,
    TaskConfiguration,
    TrialConfiguration,
)

COMMAND_AGENT = "parity.reference.command_agent:CommandAgent"
"""Import path of the agent `command` for Harbor. Its argument `command` is bash source."""

_SHARED = [name for name in TrialConfiguration.model_fields if name in JobConfiguration.model_fields]
"""The fields that trials have from their job."""


def job_directory(job: JobConfiguration) -> Path:
    """Return the directory of a job."""
    return job.jobs_dir / job.job_name


def dataset_name(path: Path) -> str:
    """Return the name of a dataset in a directory."""
    return path.expanduser().resolve().name


def written_job(job: JobConfiguration, host: Mapping[str, str]) -> JobConfiguration:
    """Return config.json of a job: its configuration, with secrets as templates of the host's variables or redacted."""
    verifier = job.verifier.model_copy(update={"env": templatize(job.verifier.env, host)})
    # Rule: run-job/config
    return job.model_copy(update={"agents": [written_agent(each, host) for each in job.agents], "verifier": verifier})


def written_agent(agent: AgentConfiguration, host: Mapping[str, str]) -> AgentConfiguration:
    """Return the configuration of an agent without secrets."""
    return agent.model_copy(update={"env": templatize(agent.env, host)})


def written_trial(
    written: JobConfiguration, agent: AgentConfiguration, task: TaskConfiguration, name: str, job_id: UUID
) -> TrialConfiguration:
    """Return config.json of a trial, from its job's as `written_job` returns it, and its agent without secrets."""
    # Rule: run-trial/config
    return TrialConfiguration(
        task=task,
        trial_name=name,
        trials_dir=job_directory(written),
        agent=agent,
        job_id=job_id,
        **{shared: getattr(written, shared) for shared in _SHARED},
    )
