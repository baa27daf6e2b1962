"""The settings of a scenario, which stand in its wire form; a runner makes a job's configuration of them."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from parity.formats import NEVER_RETRIED


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
