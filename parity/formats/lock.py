"""Models for a job's lock.json. They mirror harbor.models.job.lock."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from parity.formats.configuration import (
    AgentConfiguration,
    EnvironmentConfiguration,
    RetryConfiguration,
    VerifierConfiguration,
)
from parity.formats.document import Document

type Digest = Annotated[str, Field(pattern="^sha256:[0-9a-f]{64}$")]
"""A SHA-256 hash as lower-case hex, with the prefix `sha256:`."""


class HarborVersion(Document):
    """The version of Harbor that started the job."""

    version: str | None = None
    git_commit_hash: str | None = None
    is_editable: bool | None = None


class LockedTask(Document):
    """The task of a planned trial."""

    name: str
    type: Literal["local", "git", "package"]
    digest: Digest
    """The hash of the task's directory."""

    source: str | None = None
    path: Path | None = None
    git_url: str | None = None
    git_commit_id: str | None = None


class LockedFile(Document):
    """A file that the job reads in addition to its tasks."""

    path: Path
    digest: Digest


class LockedSkill(Document):
    """A skill that an agent uses."""

    name: str
    source: Path
    digest: Digest


class LockedTrial(Document):
    """A planned trial."""

    task: LockedTask
    timeout_multiplier: float = 1.0
    agent_timeout_multiplier: float | None = None
    verifier_timeout_multiplier: float | None = None
    agent_setup_timeout_multiplier: float | None = None
    environment_build_timeout_multiplier: float | None = None
    extra_instructions: list[LockedFile] | None = None
    agent: AgentConfiguration
    skills: list[LockedSkill] = []
    environment: EnvironmentConfiguration
    extra_docker_compose: list[LockedFile] | None = None
    verifier: VerifierConfiguration


class LockedJob(Document):
    """A job's lock.json."""

    schema_version: int = 1
    created_at: datetime = Field(default_factory=lambda: datetime.now(UTC))
    harbor: HarborVersion = Field(default_factory=HarborVersion)
    invocation: list[str] | None = None
    n_concurrent_trials: int
    retry: RetryConfiguration
    trials: list[LockedTrial] = []
