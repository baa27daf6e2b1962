"""Models for the config.json of jobs and trials.

They mirror harbor.models.job.config and harbor.models.trial.config. Settings that this kit does not use (mounts,
servers, TPUs) are read, but nothing except their types is checked.
"""

from pathlib import Path
from typing import Annotated, Any, Literal, Self
from uuid import UUID

from pydantic import BeforeValidator, Field, PlainSerializer, model_validator

from parity.formats import NEVER_RETRIED, MetricType
from parity.formats.document import Document

Names = Annotated[set[str], PlainSerializer(sorted)]
"""An unordered set of names, written in alphabetical order."""

EnforcementPolicy = Annotated[
    Literal["auto", "limit", "request", "guarantee", "ignore"],
    BeforeValidator(lambda value: value.lower() if isinstance(value, str) else value),
]


class TaskConfiguration(Document):
    """A task in a job: a local directory, a directory in a Git repository, or a package."""

    path: Path | None = None
    git_url: str | None = None
    git_commit_id: str | None = None
    name: str | None = None
    ref: str | None = None
    overwrite: bool = False
    download_dir: Path | None = None
    source: str | None = None

    @model_validator(mode="after")
    def _check_source(self) -> Self:
        if (self.path is None) == (self.name is None):
            raise ValueError("must have either a path or a name")
        if self.ref is not None and self.name is None:
            raise ValueError("must have a name if it has a ref")
        if self.git_commit_id is not None and self.git_url is None:
            raise ValueError("must have a git_url if it has a git_commit_id")
        return self


class DatasetConfiguration(Document):
    """A dataset in a job: a directory of tasks, or a dataset from a registry."""

    path: Path | None = None
    name: str | None = None
    version: str | None = None
    ref: str | None = None
    registry_url: str | None = None
    registry_path: Path | None = None
    overwrite: bool = False
    download_dir: Path | None = None
    task_names: list[str] | None = None
    exclude_task_names: list[str] | None = None
    n_tasks: int | None = None

    @model_validator(mode="after")
    def _check_source(self) -> Self:
        if (self.path is None) == (self.name is None):
            raise ValueError("must have either a path or a name")
        if self.version is not None and self.ref is not None:
            raise ValueError("must not have both a version and a ref")
        return self


class ServerConfiguration(Document):
    """An MCP server for the agent."""

    name: str


class AgentConfiguration(Document):
    """An agent in a job. If it has neither a name nor an import path, it is the oracle agent."""

    name: str | None = None
    import_path: str | None = None
    model_name: str | None = None
    skills: list[Path] = []
    override_timeout_sec: float | None = None
    override_setup_timeout_sec: float | None = None
    max_timeout_sec: float | None = None
    extra_allowed_hosts: list[str] = []
    kwargs: dict[str, Any] = {}
    env: dict[str, str] = {}
    mcp_servers: list[ServerConfiguration] = []

    @model_validator(mode="after")
    def _default_to_oracle(self) -> Self:
        if self.name is None and self.import_path is None:
            self.name = "oracle"
        return self


class TpuConfiguration(Document):
    """TPUs for the environment."""

    type: str
    topology: str


class MountConfiguration(Document):
    """A mount in the environment."""

    type: Literal["bind", "volume", "image"]
    source: str
    target: str


def _variables_from_list(value: Any) -> Any:
    """Convert a list of `NAME=VALUE` to an object; return any other value unchanged."""
    if not isinstance(value, list):
        return value
    pairs = [item.partition("=") if isinstance(item, str) else ("", "", "") for item in value]
    if not all(equals for _, equals, _ in pairs):
        raise ValueError("must hold NAME=VALUE only")
    return {name.strip(): content.strip() for name, _, content in pairs}


class EnvironmentConfiguration(Document):
    """The environment for trials. If it has neither a type nor an import path, it is Docker."""

    type: (
        Literal[
            "docker",
            "daytona",
            "e2b",
            "modal",
            "runloop",
            "gke",
            "novita",
            "apple-container",
            "singularity",
            "islo",
            "tensorlake",
            "cwsandbox",
            "wandb",
        ]
        | None
    ) = None
    import_path: str | None = None
    force_build: bool = False
    delete: bool = True
    cpu_enforcement_policy: EnforcementPolicy = "auto"
    memory_enforcement_policy: EnforcementPolicy = "auto"
    override_cpus: int | None = None
    override_memory_mb: int | None = None
    override_storage_mb: int | None = None
    override_gpus: int | None = None
    override_tpu: TpuConfiguration | None = None
    mounts: list[MountConfiguration] | None = None
    extra_docker_compose: list[Path] = []
    env: Annotated[dict[str, str], BeforeValidator(_variables_from_list)] = {}
    kwargs: dict[str, Any] = {}
    extra_allowed_hosts: list[str] = []

    @model_validator(mode="after")
    def _default_to_docker(self) -> Self:
        if self.type is None and self.import_path is None:
            self.type = "docker"
        return self


class VerifierConfiguration(Document):
    """The verifier for trials."""

    override_timeout_sec: float | None = None
    max_timeout_sec: float | None = None
    env: dict[str, str] = {}
    import_path: str | None = Field(default=None, exclude=True)
    """The import path of a verifier class. Harbor reads this field and `kwargs`, but does not write them."""

    kwargs: dict[str, Any] = Field(default={}, exclude=True)
    disable: bool = False


class ArtifactConfiguration(Document):
    """A file or directory to keep."""

    source: str
    destination: str | None = None
    exclude: list[str] = []


class RetryConfiguration(Document):
    """The exceptions after which a trial is retried, by class name, and the waits between retries."""

    max_retries: int = Field(default=0, ge=0)
    include_exceptions: Names | None = None
    exclude_exceptions: Names | None = set(NEVER_RETRIED)
    wait_multiplier: float = 1.0
    min_wait_sec: float = 1.0
    max_wait_sec: float = 60.0


class MetricConfiguration(Document):
    """A metric that the job computes."""

    type: MetricType = "mean"
    kwargs: dict[str, Any] = {}


class PluginConfiguration(Document):
    """A plugin that the job loads."""

    import_path: str
    kwargs: dict[str, Any] = {}


class TrialConfiguration(Document):
    """A trial's config.json."""

    task: TaskConfiguration
    trial_name: str = ""
    trials_dir: Path = Path("trials")
    timeout_multiplier: float = 1.0
    agent_timeout_multiplier: float | None = None
    verifier_timeout_multiplier: float | None = None
    agent_setup_timeout_multiplier: float | None = None
    environment_build_timeout_multiplier: float | None = None
    agent: AgentConfiguration = Field(default_factory=AgentConfiguration)
    environment: EnvironmentConfiguration = Field(default_factory=EnvironmentConfiguration)
    verifier: VerifierConfiguration = Field(default_factory=VerifierConfiguration)
    artifacts: list[str | ArtifactConfiguration] = []
    extra_instruction_paths: list[Path] = []
    job_id: UUID | None = None


class JobConfiguration(Document):
    """A job's config.json."""

    job_name: str = ""
    jobs_dir: Path = Path("jobs")
    n_attempts: int = 1
    timeout_multiplier: float = 1.0
    agent_timeout_multiplier: float | None = None
    verifier_timeout_multiplier: float | None = None
    agent_setup_timeout_multiplier: float | None = None
    environment_build_timeout_multiplier: float | None = None
    debug: bool = False
    n_concurrent_trials: int = 4
    quiet: bool = False
    retry: RetryConfiguration = Field(default_factory=RetryConfiguration)
    environment: EnvironmentConfiguration = Field(default_factory=EnvironmentConfiguration)
    verifier: VerifierConfiguration = Field(default_factory=VerifierConfiguration)
    metrics: list[MetricConfiguration] = []
    agents: list[AgentConfiguration] = Field(default_factory=lambda: [AgentConfiguration()])
    datasets: list[DatasetConfiguration] = []
    tasks: list[TaskConfiguration] = []
    artifacts: list[str | ArtifactConfiguration] = []
    extra_instruction_paths: list[Path] = []
    plugins: list[PluginConfiguration] = []
