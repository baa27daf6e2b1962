"""Models for task.toml as Harbor reads it: keys, types and defaults, and which values exclude each other.

Values are converted as pydantic does by default. Unknown keys are ignored. Times are in seconds.
"""

import re
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, AliasChoices, BaseModel, BeforeValidator, ConfigDict, Field, model_validator

NetworkMode = Literal["public", "no-network", "allowlist"]

_PACKAGE = re.compile(r"[a-zA-Z0-9][a-zA-Z0-9._-]*/[a-zA-Z0-9][a-zA-Z0-9._-]*\n?")
_HOST_LABEL = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\n?")
_TOPOLOGY = re.compile(r"[1-9]\d*(?:x[1-9]\d*)+")
_SIZES = {"G": 1024.0, "M": 1.0, "K": 1 / 1024}


class _Table(BaseModel):
    """A table in task.toml."""

    model_config = ConfigDict(frozen=True)


def _host(value: str) -> str:
    name = value.strip().lower().rstrip(".")
    if not all(map(_HOST_LABEL.fullmatch, name.split("."))):
        raise ValueError(f"is {value!r}; write the name of a host")
    return name


class _Network(_Table):
    """A network mode, and the allowed hosts for the mode `allowlist`."""

    network_mode: NetworkMode | None = None
    allowed_hosts: tuple[Annotated[str, AfterValidator(_host)], ...] | None = None

    @model_validator(mode="after")
    def _check_hosts(self) -> Self:
        if self.network_mode == "allowlist" and not self.allowed_hosts:
            raise ValueError("has network_mode = 'allowlist', but no allowed_hosts; add them")
        if self.network_mode != "allowlist" and self.allowed_hosts:
            raise ValueError("has allowed_hosts, which need network_mode = 'allowlist'; remove them")
        return self


class _Phase(_Network):
    """The settings that the agent and the verifier have in common, for a task or for one step."""

    user: str | int | None = None

    @model_validator(mode="after")
    def _check_mode(self) -> Self:
        if self.network_mode is None and self.allowed_hosts is not None:
            raise ValueError("has allowed_hosts, which need network_mode = 'allowlist'; remove them")
        return self


class Healthcheck(_Table):
    """A command that is repeated until it succeeds."""

    command: str
    interval_sec: float = 5.0
    timeout_sec: float = 30.0
    start_period_sec: float = 0.0
    """Seconds after the start during which failures are ignored."""

    start_interval_sec: float = 5.0
    retries: int = 3


def _topology(value: str) -> str:
    shape = value.strip()
    if not _TOPOLOGY.fullmatch(shape):
        raise ValueError(f"is {value!r}; write it as 2x4")
    return shape


class Tpu(_Table):
    """TPU chips for the environment: their type and topology."""

    type: str = Field(min_length=1)
    topology: Annotated[str, AfterValidator(_topology)]


def _transport(value: Any) -> Any:
    """Return the transport for which `http` is an alias; return any other value unchanged."""
    return "streamable-http" if value == "http" else value


class McpServer(_Table):
    """A server that provides tools to the agent."""

    name: str
    transport: Annotated[Literal["stdio", "sse", "streamable-http"], BeforeValidator(_transport)] = "sse"
    url: str | None = None
    command: str | None = None
    args: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _check_transport(self) -> Self:
        needed = "command" if self.transport == "stdio" else "url"
        if not getattr(self, needed):
            raise ValueError(f"has no {needed}, which its transport needs; add it")
        return self


def _lower(value: Any) -> Any:
    return value.lower() if isinstance(value, str) else value


def _megabytes(what: str, size: str) -> int:
    spelled = size.strip().upper()
    try:
        # Rule: run-trial/size-with-unit
        return int(float(spelled[:-1]) * _SIZES[spelled[-1:]])
    except (KeyError, ValueError):
        raise ValueError(f"has {what} = {size!r}; write it as {what}_mb = 2048") from None
    except OverflowError:
        raise OverflowError(f"{what} is {size!r}, which ends a job of Harbor's; write {what}_mb = 2048") from None


class EnvironmentConfig(_Network):
    """The settings for building a sandbox."""

    network_mode: NetworkMode = "public"
    build_timeout_sec: float = 600.0
    docker_image: str | None = None
    os: Annotated[Literal["linux", "windows"], BeforeValidator(_lower)] = "linux"
    cpus: int | None = None
    memory_mb: int | None = None
    storage_mb: int | None = None
    gpus: int | None = None
    gpu_types: tuple[str, ...] | None = None
    tpu: Tpu | None = None
    mcp_servers: tuple[McpServer, ...] = ()
    env: dict[str, str] = {}
    skills_dir: str | None = None
    """A directory of skills for the agent."""

    healthcheck: Healthcheck | None = None
    workdir: str | None = None
    allow_internet: bool | None = None
    """Deprecated. It determines the network mode if neither a network mode nor allowed hosts are set."""

    @model_validator(mode="before")
    @classmethod
    def _convert_sizes(cls, value: Any) -> Any:
        """Convert `memory = "2G"` to `memory_mb = 2048`, and convert `storage` likewise. Numbers are ignored."""
        for what in ("memory", "storage"):
            if isinstance(value, dict) and isinstance(size := value.get(what), str):
                key, megabytes = f"{what}_mb", _megabytes(what, size)
                if value.get(key, megabytes) != megabytes:
                    raise ValueError(f"has {what} = {size!r} and another {key}; keep one of them")
                value = {**value, key: megabytes}
        return value

    @model_validator(mode="after")
    def _convert_allow_internet(self) -> Self:
        if self.network_is_explicit or self.allowed_hosts is not None or self.allow_internet is None:
            return self
        return self.model_copy(update={"network_mode": "public" if self.allow_internet else "no-network"})

    @property
    def network(self) -> bool:
        """Whether the sandbox has unrestricted network access."""
        return self.network_mode == "public"

    @property
    def network_is_explicit(self) -> bool:
        """Whether the task sets the network mode explicitly."""
        return "network_mode" in self.model_fields_set


class AgentConfig(_Phase):
    """Settings for the agent, for a task or for one step."""

    timeout_sec: float | None = None


class VerifierConfig(_Phase):
    """Settings for the verifier, for a task or for one step."""

    timeout_sec: float = 600.0
    env: dict[str, str] = {}
    environment_mode: Literal["shared", "separate"] | None = None
    environment: EnvironmentConfig | None = None

    @model_validator(mode="after")
    def _check_environment(self) -> Self:
        if self.environment_mode == "shared" and self.environment is not None:
            raise ValueError("has environment_mode = 'shared' and an environment; remove one of them")
        return self

    @property
    def separate(self) -> bool | None:
        """Whether the verifier has its own sandbox; None if these settings leave it open. A task's default is no."""
        if self.environment_mode is None:
            return True if self.environment is not None else None
        return self.environment_mode == "separate"


class Artifact(_Table):
    """A file or directory that is copied out of the sandbox after the agent has ended."""

    source: str
    destination: str | None = None
    exclude: tuple[str, ...] = ()

    @model_validator(mode="before")
    @classmethod
    def _from_path(cls, value: Any) -> Any:
        """Convert a path to a table whose only key is `source`."""
        if not isinstance(value, str | dict | cls):
            raise ValueError("is neither a path nor a table; write one")
        return {"source": value} if isinstance(value, str) else value


class TaskStep(_Table):
    """One step in a multi-step task."""

    name: str
    agent: AgentConfig = AgentConfig()
    verifier: VerifierConfig = VerifierConfig()
    min_reward: float | dict[str, float] | None = None
    healthcheck: Healthcheck | None = None
    artifacts: tuple[Artifact, ...] = ()


class Author(_Table):
    """An author of a package."""

    name: str
    email: str | None = None


def _package_name(name: str) -> str:
    if not _PACKAGE.fullmatch(name) or ".." in name:
        raise ValueError(f"is {name!r}; write it as org/name, with letters, digits, dots, '-' and '_'")
    return name


class Package(_Table):
    """The package as which a task is published."""

    name: Annotated[str, AfterValidator(_package_name)]
    description: str = ""
    authors: tuple[Author, ...] = ()
    keywords: tuple[str, ...] = ()


class Solution(_Table):
    """Settings for the solution."""

    env: dict[str, str] = {}


class TaskConfig(_Table):
    """The content of task.toml."""

    schema_version: str = Field(default="1.3", validation_alias=AliasChoices("schema_version", "version"))
    task: Package | None = None
    metadata: dict[str, Any] = {}
    verifier: VerifierConfig = VerifierConfig()
    agent: AgentConfig = AgentConfig()
    environment: EnvironmentConfig = EnvironmentConfig()
    solution: Solution = Solution()
    source: str | None = None
    multi_step_reward_strategy: Literal["mean", "final"] | None = None
    steps: tuple[TaskStep, ...] = ()
    artifacts: tuple[Artifact, ...] = ()

    def is_separate(self, step: TaskStep | None = None) -> bool:
        """Return whether the verifier for the task, or for a step, has its own sandbox."""
        own = None if step is None else step.verifier.separate
        return bool(self.verifier.separate if own is None else own)

    def verifier_environment(self, step: TaskStep | None) -> EnvironmentConfig:
        """Return the settings for a verifier's own sandbox: the step's, else the verifier's, else the agent's."""
        # Rule: run-trial/separate-sandbox
        own = None if step is None else step.verifier.environment
        return own or self.verifier.environment or self.environment

    def environments(self) -> list[EnvironmentConfig]:
        """Return the settings for all sandboxes that the task uses."""
        separate = [self.verifier_environment(step) for step in self.steps or (None,) if self.is_separate(step)]
        return [self.environment, *separate]

    def asks_for_network(self) -> bool:
        """Return whether some sandbox of the task has unrestricted network access, which is the default."""
        phase_is_public = any(phase.network_mode == "public" for phase in self._phases())
        return any(
            each.network and (each.network_is_explicit or (phase_is_public and each is self.environment))
            for each in self.environments()
        )

    def users(self) -> frozenset[str | int]:
        """Return all users as which the task runs commands."""
        return frozenset(phase.user for phase in self._phases() if phase.user is not None)

    def _phases(self) -> list[AgentConfig | VerifierConfig]:
        return [self.agent, self.verifier, *(phase for step in self.steps for phase in (step.agent, step.verifier))]
