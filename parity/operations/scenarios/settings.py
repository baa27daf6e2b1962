"""The settings in a scenario, which are part of its wire form. A runner converts them to a job's configuration."""

from collections.abc import Mapping
from dataclasses import dataclass, field

NEVER_RETRIED = frozenset(
    {
        "AgentTimeoutError",
        "RewardFileEmptyError",
        "RewardFileNotFoundError",
        "VerifierOutputParseError",
        "VerifierTimeoutError",
    }
)
"""The class names of the errors that Harbor excludes from retries by default."""


@dataclass(frozen=True)
class AgentSettings:
    """Settings of one of a job's agents."""

    name: str = "oracle"
    """`oracle`, `nop` or `command`."""

    command: str | None = None
    """Bash source that the agent `command` runs; None for the other agents."""

    env: Mapping[str, str] = field(default_factory=dict)
    """Environment variables for the agent. Values may be templates."""

    model: str | None = None
    """A model in the form `provider/name` or `name`. No agent here uses a model, but stats are grouped by model."""

    override_timeout: float | None = None
    """A timeout in seconds that replaces the task's timeout. 0 is treated like None."""

    max_timeout: float | None = None
    """The maximum timeout in seconds, before multiplication. 0 is treated like None."""

    override_setup_timeout: float | None = None
    """A timeout in seconds for the agent's setup."""


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
    """The maximum timeout in seconds, before multiplication."""


@dataclass(frozen=True)
class RetrySettings:
    """Errors that are retried, by class name, and waits between retries. Excluded errors beat included ones."""

    max_retries: int = 0
    include: frozenset[str] | None = None
    exclude: frozenset[str] | None = NEVER_RETRIED
    wait_multiplier: float = 1.0
    min_wait_sec: float = 1.0
    max_wait_sec: float = 60.0
