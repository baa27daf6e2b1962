"""Conditions of scenarios that flags of `run_job` are derived from."""

from typing import Any

from parity.operations.scenarios.records import Record
from parity.operations.scenarios.scenario import ScenarioSettings
from parity.operations.scenarios.settings import AgentSettings

PROGRAM_ENDS = frozenset({"SystemExit", "KeyboardInterrupt"})
"""Exceptions that no trial catches."""


def has_limits(agent: AgentSettings) -> bool:
    """Return whether the settings of an agent override or limit a timeout."""
    limits = (agent.override_timeout, agent.max_timeout, agent.override_setup_timeout)
    return any(limit is not None for limit in limits)


def has_own_timeouts(settings: ScenarioSettings) -> bool:
    """Return whether settings override or limit a timeout."""
    limits = vars(settings.verifier_timeouts).values()
    return has_limits(settings.agent) or any(limit is not None for limit in limits)


def document(result: Any) -> Record:
    """Return the parsed result.json; an empty one if it is cut off or missing, as after other releases of Harbor."""
    return result if isinstance(result, dict) else {}
