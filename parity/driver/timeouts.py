"""Timeouts for a trial's phases, in seconds. A phase's own multiplier replaces the general `timeout_multiplier`."""

import asyncio
from math import inf, isnan, ulp

from parity.driver.trial import Trial
from parity.formats.task import TaskStep

# Rule: run-trial/agent-setup-timeout
_AGENT_SETUP = 360


def agent_timeout(trial: Trial, step: TaskStep | None = None) -> float | None:
    """Return the agent's timeout for the whole task or for one step; None for no timeout."""
    own = None if step is None else step.agent.timeout_sec
    # Rules: run-trial/step-agent-timeout, run-trial/override-timeout
    base = trial.agent.override_timeout_sec or (trial.task.config.agent.timeout_sec if own is None else own)
    if base is None:
        return None
    # Rule: run-trial/longest-timeout
    return min(base, trial.agent.max_timeout_sec or inf) * _factor(trial, trial.job.agent_timeout_multiplier)


def verifier_timeout(trial: Trial, step: TaskStep | None = None) -> float:
    """Return the verifier's timeout. A step that sets none has the default of 600 seconds, not the task's timeout."""
    verifier = trial.job.verifier
    # Rules: run-trial/step-verifier-timeout, run-trial/override-timeout
    base = verifier.override_timeout_sec or (step or trial.task.config).verifier.timeout_sec
    # Rule: run-trial/longest-timeout
    return min(base, verifier.max_timeout_sec or inf) * _factor(trial, trial.job.verifier_timeout_multiplier)


def agent_setup_timeout(trial: Trial) -> float:
    """Return the timeout for setting up the agent."""
    own = trial.agent.override_setup_timeout_sec
    # Rule: run-trial/override-setup-timeout
    base = _AGENT_SETUP if own is None else own
    return base * _factor(trial, trial.job.agent_setup_timeout_multiplier)


def build_timeout(trial: Trial) -> float:
    """Return the timeout for starting a sandbox: the agent's, or a separate one for the verifier."""
    factor = _factor(trial, trial.job.environment_build_timeout_multiplier)
    return trial.task.config.environment.build_timeout_sec * factor


def waitable(seconds: float | None) -> float | None:
    """Return a timeout that the running event loop can wait for: nan is replaced by a timeout that ends at once.

    A selector event loop treats nan in this way in CPython 3.12; in CPython 3.13 it raises a ValueError.
    """
    # Rule: run-trial/nan-timeout
    if seconds is None or not isnan(seconds) or not isinstance(asyncio.get_running_loop(), asyncio.SelectorEventLoop):
        return seconds
    return ulp(0.0)


def _factor(trial: Trial, specific: float | None) -> float:
    # Rule: run-trial/multiplier
    return trial.job.timeout_multiplier if specific is None else specific
