"""Descriptions of scenarios in words, for people."""

from collections.abc import Mapping
from typing import Any

from parity.driver.settings import AgentSettings
from parity.operations.scenarios.recording import Script
from parity.operations.scenarios.scenario import ScenarioSettings
from parity.operations.scenarios.wire import AGENT_TIMES


def describe_settings(settings: ScenarioSettings) -> list[str]:
    """Describe the settings that are not at their defaults."""
    parts = describe_agent(settings.agent)
    for name, given in (
        ("verifier's timeouts", _given(vars(settings.verifier_timeouts))),
        ("--ve", settings.verifier_env),
        ("host's variables", settings.host),
        ("multipliers", {name: factor for name, factor in vars(settings.multipliers).items() if factor is not None}),
    ):
        if given and given != {"all": 1.0}:
            parts.append(f"{name} {dict(given)!r}")
    if not settings.verification:
        parts.append("verification disabled")
    if settings.mounted:
        parts.append("sandboxes mounted")
    return parts


def describe_agent(agent: AgentSettings) -> list[str]:
    """Describe an agent."""
    parts = [f"agent {agent.name}"]
    if agent.command is not None:
        parts.append(f"command {agent.command!r}")
    if agent.env:
        parts.append(f"agent's variables {dict(agent.env)!r}")
    rest = {name: value for name, value in vars(agent).items() if name == "model" or name in AGENT_TIMES}
    return [*parts, *(f"{name} {value!r}" for name, value in _given(rest).items())]


def _given(members: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in members.items() if value is not None}


def describe_script(script: Script) -> list[str]:
    """Describe the effects on the calls of a run, and the files that agent and tests leave."""
    parts = [
        f"call {number}: {effect.kind} {effect.text or effect.number}"
        for number, effect in sorted(script.effects.items())
    ]
    for name, runs in (("agent", script.agent), ("tests", script.tests)):
        parts += [f"the {name} leaves {dict(files)!r}" for files in runs]
    return parts
