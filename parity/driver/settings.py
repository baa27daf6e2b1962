"""What a job is run with: the settings of `parity run`, which are named as in Harbor's own configuration."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

# Rule: run-job/excluded
NEVER_RETRIED = frozenset(
    {
        "AgentTimeoutError",
        "VerifierTimeoutError",
        "RewardFileNotFoundError",
        "RewardFileEmptyError",
        "VerifierOutputParseError",
    }
)
"""Errors that are not retried by default."""

MOST_TRIALS = 1_000_000
"""Of a job."""


@dataclass(frozen=True)
class AgentSettings:
    """The agent of a job."""

    name: str = "oracle"
    """`oracle`, `nop` or `command`."""

    command: str | None = None
    """Bash source; of the agent `command` only."""

    env: Mapping[str, str] = field(default_factory=dict)
    """Variables for the agent; values may be templates."""

    model: str | None = None
    """`provider/name`, or a name alone. None of the agents uses one, but the job's stats are distinguished by it."""

    override_timeout: float | None = None
    """Seconds instead of what the task says; 0 says nothing."""

    max_timeout: float | None = None
    """The most seconds, before they are multiplied; 0 says nothing."""

    override_setup_timeout: float | None = None
    """Seconds for the agent's setup."""

    @property
    def model_name(self) -> str | None:
        """The model without its provider; None where nothing is left of it."""
        # Rules: run-trial/model, run-job/models
        return (self.model or "").split("/", 1)[-1] or None

    @property
    def model_provider(self) -> str | None:
        """What comes before the first slash of the model, if there is one."""
        # Rule: run-trial/model
        return self.model.partition("/")[0] if self.model and "/" in self.model else None


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
class VerifierTimeouts:
    """Seconds for the verifier beside what the task says; 0 says nothing."""

    override: float | None = None
    max: float | None = None
    """Before they are multiplied."""


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

    task_names: tuple[str, ...] = ()
    """Glob patterns of the tasks of each dataset that are run, by the names of their folders; none for all."""

    exclude_task_names: tuple[str, ...] = ()
    """Glob patterns of those that are not, of the former."""

    n_tasks: int | None = None
    """How many tasks of each dataset are run; of a negative number, so many of the last ones are not."""

    n_attempts: int = 1
    """None and fewer than none plan no trial at all."""

    n_concurrent: int = 4
    quiet: bool = False
    multipliers: Multipliers = Multipliers()
    retry: RetrySettings = RetrySettings()
    environment: EnvironmentSettings = EnvironmentSettings()
    agents: tuple[AgentSettings, ...] = (AgentSettings(),)
    """Each of them attempts every task."""

    metrics: tuple[str, ...] = ()
    """`mean`, `max`, `min` or `sum`; none for the mean."""

    verifier_timeouts: VerifierTimeouts = VerifierTimeouts()
    verifier_env: Mapping[str, str] = field(default_factory=dict)
    disable_verification: bool = False
    allow_network: bool = False
    """Give the network to tasks that ask for it; else they have none."""

    @property
    def folder(self) -> Path:
        """The job's folder."""
        return self.jobs_dir / self.job_name
