"""What a job is run with: the settings of `parity run`, which are named as in Harbor's own configuration."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

NEVER_RETRIED = frozenset(
    {
        "AgentTimeoutError",
        "VerifierTimeoutError",
        "RewardFileNotFoundError",
        "RewardFileEmptyError",
        "VerifierOutputParseError",
    }
)
"""Errors that are not retried unless told otherwise."""


@dataclass(frozen=True)
class AgentSettings:
    """The agent of a job."""

    name: str = "oracle"
    """`oracle`, `nop` or `command`."""

    command: str | None = None
    """Bash source; of the agent `command` only."""

    env: Mapping[str, str] = field(default_factory=dict)
    """Variables for the agent; values may be templates."""


@dataclass(frozen=True)
class EnvironmentSettings:
    """How Harbor would name the environment that the trials run in."""

    type: str | None = None
    import_path: str | None = None
    kwargs: Mapping[str, str | bool] = field(default_factory=dict)


@dataclass(frozen=True)
class Multipliers:
    """Factors of timeouts. A specific one replaces the general one."""

    all: float = 1.0
    agent: float | None = None
    verifier: float | None = None
    agent_setup: float | None = None
    environment_build: float | None = None


@dataclass(frozen=True)
class RetrySettings:
    """Which trials are tried again. Errors are class names; excluded ones beat included ones."""

    max_retries: int = 0
    include: frozenset[str] | None = None
    exclude: frozenset[str] | None = NEVER_RETRIED
    wait_multiplier: float = 1.0
    min_wait_sec: float = 1.0
    max_wait_sec: float = 60.0


@dataclass(frozen=True)
class JobSettings:
    """All settings of a job."""

    job_name: str
    jobs_dir: Path = Path("jobs")
    datasets: tuple[Path, ...] = ()
    """Folders of tasks."""

    tasks: tuple[Path, ...] = ()
    """Task folders named by themselves."""

    n_attempts: int = 1
    n_concurrent: int = 4
    quiet: bool = False
    multipliers: Multipliers = Multipliers()
    retry: RetrySettings = RetrySettings()
    environment: EnvironmentSettings = EnvironmentSettings()
    agent: AgentSettings = AgentSettings()
    verifier_env: Mapping[str, str] = field(default_factory=dict)
    disable_verification: bool = False
    allow_network: bool = False
    """Give the network to tasks that ask for it; else they have none."""

    @property
    def folder(self) -> Path:
        """The job's folder."""
        return self.jobs_dir / self.job_name
