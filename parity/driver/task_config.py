"""What task.toml says, as far as running a task depends on it. Defaults are Harbor's; times are in seconds."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from parity.driver.sandbox import User
from parity.scorer.trial_reward import Strategy
from parity.scorer.values import Number

type NetworkMode = Literal["public", "no-network", "allowlist"]


@dataclass(frozen=True)
class Healthcheck:
    """A command that is run until it succeeds."""

    command: str
    interval: float = 5.0
    timeout: float = 30.0
    start_period: float = 0.0
    """For so long failures do not count."""

    start_interval: float = 5.0
    retries: int = 3


@dataclass(frozen=True)
class EnvironmentConfig:
    """What a sandbox is built from."""

    build_timeout: float = 600.0
    image: str | None = None
    network_mode: NetworkMode = "public"
    network_is_explicit: bool = False
    """Whether the task itself says so, and it is not Harbor's default."""

    cpus: int | None = None
    memory_mb: int | None = None
    storage_mb: int | None = None
    env: Mapping[str, str] = field(default_factory=dict)
    healthcheck: Healthcheck | None = None
    workdir: str | None = None
    os: Literal["linux", "windows"] = "linux"
    gpus: int | None = None
    tpu: str | None = None
    """The type of a TPU."""

    mcp_servers: tuple[str, ...] = ()
    """Their names."""

    skills: str | None = None
    """A folder of skills for the agent."""

    @property
    def network(self) -> bool:
        """Whether the task may use the whole network."""
        return self.network_mode == "public"


@dataclass(frozen=True)
class AgentConfig:
    """How the agent runs, in the task or in one step."""

    timeout: float | None = None
    user: User | None = None
    network_mode: NetworkMode | None = None
    """While the agent works; None for that of its environment."""


@dataclass(frozen=True)
class VerifierConfig:
    """How the verifier runs, in the task or in one step."""

    timeout: float = 600.0
    env: Mapping[str, str] = field(default_factory=dict)
    user: User | None = None
    separate: bool | None = None
    """Whether it has a sandbox of its own; None leaves that to the task, whose default is no."""

    environment: EnvironmentConfig | None = None
    network_mode: NetworkMode | None = None
    """While it verifies; None for that of its environment."""


@dataclass(frozen=True)
class Artifact:
    """Something that is carried out of the sandbox after the agent ran."""

    source: str
    destination: str | None = None
    exclude: tuple[str, ...] = ()


@dataclass(frozen=True)
class TaskStep:
    """One step of a multi-step task."""

    name: str
    agent: AgentConfig = AgentConfig()
    verifier: VerifierConfig = VerifierConfig()
    min_reward: Number | Mapping[str, Number] | None = None
    healthcheck: Healthcheck | None = None
    artifacts: tuple[Artifact, ...] = ()


@dataclass(frozen=True)
class TaskConfig:
    """A task's settings."""

    package: str | None = None
    """`[task].name`, of the form org/name."""

    agent: AgentConfig = AgentConfig()
    verifier: VerifierConfig = VerifierConfig()
    environment: EnvironmentConfig = EnvironmentConfig()
    solution_env: Mapping[str, str] = field(default_factory=dict)
    strategy: Strategy | None = None
    steps: tuple[TaskStep, ...] = ()
    artifacts: tuple[Artifact, ...] = ()

    def is_separate(self, step: TaskStep | None = None) -> bool:
        """Whether the verifier of the task, or of a step, has a sandbox of its own."""
        own = None if step is None else step.verifier.separate
        return bool(self.verifier.separate if own is None else own)

    def verifier_environment(self, step: TaskStep | None) -> EnvironmentConfig:
        """What a verifier's own sandbox is built from: the step's, else the task's verifier's, else as the agent's."""
        # Rule: run-trial/separate-sandbox
        own = None if step is None else step.verifier.environment
        return own or self.verifier.environment or self.environment

    def environments(self) -> list[EnvironmentConfig]:
        """What all sandboxes of the task are built from."""
        apart = [self.verifier_environment(step) for step in self.steps or (None,) if self.is_separate(step)]
        return [self.environment, *apart]

    def users(self) -> frozenset[User]:
        """All users that commands may name."""
        configs = [self.agent, self.verifier, *(part for step in self.steps for part in (step.agent, step.verifier))]
        return frozenset(config.user for config in configs if config.user is not None)
