"""Timeouts of a trial's phases, in seconds. A specific multiplier replaces the general one."""

import asyncio
from math import inf, isnan, ulp

from parity.driver.settings import AgentSettings, JobSettings, Multipliers
from parity.formats.task import TaskConfig, TaskStep

# Rule: run-trial/agent-setup-timeout
_AGENT_SETUP = 360


def agent_timeout(
    task: TaskConfig, step: TaskStep | None, agent: AgentSettings, multipliers: Multipliers
) -> float | None:
    """Return the agent's timeout, for the task or one of its steps; None for any time."""
    own = None if step is None else step.agent.timeout_sec
    # Rules: run-trial/step-agent-timeout, run-trial/override-timeout
    base = agent.override_timeout or (task.agent.timeout_sec if own is None else own)
    # Rule: run-trial/longest-timeout
    return None if base is None else min(base, agent.max_timeout or inf) * _factor(multipliers.agent, multipliers)


def verifier_timeout(task: TaskConfig, step: TaskStep | None, settings: JobSettings) -> float:
    """Return the verifier's timeout. A step without its own has the default of 600 seconds, not the task's timeout."""
    limits, multipliers = settings.verifier_timeouts, settings.multipliers
    # Rules: run-trial/step-verifier-timeout, run-trial/override-timeout
    base = limits.override or (step or task).verifier.timeout_sec
    # Rule: run-trial/longest-timeout
    return min(base, limits.max or inf) * _factor(multipliers.verifier, multipliers)


def agent_setup_timeout(agent: AgentSettings, multipliers: Multipliers) -> float:
    """Return the timeout of the agent's setup."""
    # Rule: run-trial/override-setup-timeout
    base = _AGENT_SETUP if agent.override_setup_timeout is None else agent.override_setup_timeout
    return base * _factor(multipliers.agent_setup, multipliers)


def build_timeout(task: TaskConfig, multipliers: Multipliers) -> float:
    """Return the timeout for starting a sandbox, including a separate verifier's."""
    return task.environment.build_timeout_sec * _factor(multipliers.environment_build, multipliers)


def waitable(seconds: float | None) -> float | None:
    """Return a timeout that the running event loop can wait for: in place of nan, one that ends at the first wait.

    A loop with a selector waits so for nan in CPython 3.12; in 3.13 it ends with a ValueError.
    """
    # Rule: run-trial/nan-timeout
    if seconds is None or not isnan(seconds) or not isinstance(asyncio.get_running_loop(), asyncio.SelectorEventLoop):
        return seconds
    return ulp(0.0)


def _factor(specific: float | None, multipliers: Multipliers) -> float:
    # Rule: run-trial/multiplier
    return multipliers.all if specific is None else specific
