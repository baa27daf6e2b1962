"""Settings of a job of `parity run`, named as in Harbor's own configuration."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from parity.formats import NEVER_RETRIED

MOST_TRIALS = 1_000_000
"""The most trials of a job."""


@dataclass(frozen=True)
class AgentSettings:
    """Settings of one of a job's agents."""

    name: str = "oracle"
    """`oracle`, `nop` or `command`."""

    command: str | None = None
    """Bash source of the agent `command`; None for the others."""

    env: Mapping[str, str] = field(default_factory=dict)
    """Variables for the agent. Values may be templates."""

    model: str | None = None
    """`provider/name`, or a name alone. No agent here uses one, but the job's stats are grouped by it."""

    override_timeout: float | None = None
    """Seconds that replace the task's timeout; 0 counts as none."""

    max_timeout: float | None = None
    """The most seconds, before multiplication; 0 counts as none."""

    override_setup_timeout: float | None = None
    """Seconds for the agent's setup."""

    @property
    def model_name(self) -> str | None:
        """The model without its provider; None if nothing is left."""
        # Rules: run-trial/model, run-job/models
        return (self.model or "").split("/", 1)[-1] or None

    @property
    def model_provider(self) -> str | None:
        """The part of the model before the first slash; None without a slash."""
        # Rule: run-trial/model
        return self.model.partition("/")[0] if self.model and "/" in self.model else None


@dataclass(frozen=True)
class EnvironmentSettings:
    """Harbor's settings of the environment that the trials run in."""

    type: str | None = None
    import_path: str | None = None
    kwargs: Mapping[str, str | bool] = field(default_factory=dict)


@dataclass(frozen=True)
class Multipliers:
    """Factors for timeouts. A specific factor replaces the general one."""

    all: float = 1.0
    agent: float | None = None
    verifier: float | None = None
    agent_setup: float | None = None
    environment_build: float | None = None


@dataclass(frozen=True)
class VerifierTimeouts:
    """Seconds that replace or limit the verifier's timeout in the task; 0 counts as none."""

    override: float | None = None
    max: float | None = None
    """The most seconds, before multiplication."""


@dataclass(frozen=True)
class RetrySettings:
    """Errors that are retried, by class name, and waits between retries. Excluded errors beat included ones."""

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
    """Folders of single tasks."""

    task_names: tuple[str, ...] = ()
    """Glob patterns of the tasks to run from each dataset, by folder name; empty for all."""

    exclude_task_names: tuple[str, ...] = ()
    """Glob patterns of tasks that are left out."""

    n_tasks: int | None = None
    """The number of tasks to run from each dataset. A negative number leaves out that many tasks at the end."""

    n_attempts: int = 1
    """Attempts at each task. 0 or less plans no trial."""

    n_concurrent: int = 4
    quiet: bool = False
    multipliers: Multipliers = Multipliers()
    retry: RetrySettings = RetrySettings()
    environment: EnvironmentSettings = EnvironmentSettings()
    agents: tuple[AgentSettings, ...] = (AgentSettings(),)
    """The agents. Each of them attempts every task."""

    metrics: tuple[str, ...] = ()
    """`mean`, `max`, `min` or `sum`; empty for the mean."""

    verifier_timeouts: VerifierTimeouts = VerifierTimeouts()
    verifier_env: Mapping[str, str] = field(default_factory=dict)
    disable_verification: bool = False
    allow_network: bool = False
    """Whether tasks that ask for a network get it, which local sandboxes refuse. Otherwise no sandbox has one."""

    end_processes: bool = False
    """Whether the agent's processes are killed before the tests. Harbor keeps them, and they can change a reward."""

    @property
    def folder(self) -> Path:
        """The job's folder."""
        return self.jobs_dir / self.job_name
