"""lock.json of a job. Mirrors harbor.models.job.lock."""

import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from parity.formats.configuration import (
    AgentConfiguration,
    EnvironmentConfiguration,
    RetryConfiguration,
    VerifierConfiguration,
)
from parity.formats.document import Document

_DIGEST = re.compile("sha256:[0-9a-f]{64}")


def _digest(text: str) -> str:
    # Rule: run-job/resume-lock-digests
    if _DIGEST.fullmatch(text):
        return text
    raise ValueError("must be sha256: and 64 digits 0-9 and a-f")


Digest = Annotated[str, AfterValidator(_digest)]
"""The SHA-256 digest of a task, a skill or a file."""


class HarborVersion(Document):
    """The version of Harbor that started the job."""

    version: str | None = None
    git_commit_hash: str | None = None
    is_editable: bool | None = None


class LockedTask(Document):
    """A task of a planned trial."""

    name: str
    type: Literal["local", "git", "package"]
    digest: Digest
    source: str | None = None
    path: Path | None = None
    git_url: str | None = None
    git_commit_id: str | None = None


class LockedFile(Document):
    """A file that the job reads besides its tasks."""

    path: Path
    digest: Digest


class LockedSkill(Document):
    """A skill of an agent."""

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
    """lock.json of a job."""

    schema_version: int = 1
    created_at: datetime = Field(default_factory=lambda: datetime.now(UTC))
    harbor: HarborVersion = Field(default_factory=HarborVersion)
    invocation: list[str] | None = None
    n_concurrent_trials: int
    retry: RetryConfiguration
    trials: list[LockedTrial] = []
