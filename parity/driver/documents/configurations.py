"""The config.json of a job and of each trial. Mirrors harbor.models.job.config and harbor.models.trial.config.

A `JobConfiguration` holds a job's settings. Secrets are removed from it before it is written.
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
"""Import path under which Harbor finds the agent `command`. The agent's argument `command` is a bash command."""

_SHARED = [name for name in TrialConfiguration.model_fields if name in JobConfiguration.model_fields]
"""The fields that trials copy from their job."""


def job_directory(job: JobConfiguration) -> Path:
    """Return a job's directory."""
    return job.jobs_dir / job.job_name


def dataset_name(path: Path) -> str:
    """Return the name of the dataset in a directory."""
    return path.expanduser().resolve().name


def written_job(job: JobConfiguration, host: Mapping[str, str]) -> JobConfiguration:
    """Return the config.json of a job: its configuration, with secrets replaced as by `templatize`."""
    verifier = job.verifier.model_copy(update={"env": templatize(job.verifier.env, host)})
    # Rule: run-job/config
    agents = [agent.model_copy(update={"env": templatize(agent.env, host)}) for agent in job.agents]
    return job.model_copy(update={"agents": agents, "verifier": verifier})


def written_trial(
    written: JobConfiguration, agent: AgentConfiguration, task: TaskConfiguration, name: str, job_id: UUID
) -> TrialConfiguration:
    """Return the config.json of a trial.

    Args:
        written: the job's config.json.
        agent: the agent's configuration in the job's config.json.
        task: the trial's task.
        name: the trial's name.
        job_id: the job's id.
    """
    # Rule: run-trial/config
    return TrialConfiguration(
        task=task,
        trial_name=name,
        trials_dir=job_directory(written),
        agent=agent,
        job_id=job_id,
        **{shared: getattr(written, shared) for shared in _SHARED},
    )
