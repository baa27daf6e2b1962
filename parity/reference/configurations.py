"""Conversions of the driver's settings to the wheel's configuration models."""

from collections.abc import Mapping
from typing import Any

from harbor.models.job.config import RetryConfig
from harbor.models.trial.config import AgentConfig, VerifierConfig

from parity.operations.scenarios.settings import AgentSettings, Multipliers, RetrySettings, VerifierTimeouts


def agent_config(agent: AgentSettings) -> Any:
    """Build the wheel's configuration of an agent."""
    is_command = agent.name == "command"
    return AgentConfig(
        name=None if is_command else agent.name,
        import_path="parity.reference.command_agent:CommandAgent" if is_command else None,
        kwargs={"command": agent.command} if is_command else {},
        env=dict(agent.env),
        model_name=agent.model,
        override_timeout_sec=agent.override_timeout,
        override_setup_timeout_sec=agent.override_setup_timeout,
        max_timeout_sec=agent.max_timeout,
    )


def retry_config(retry: RetrySettings) -> RetryConfig:
    """Build the wheel's configuration of retries."""
    return RetryConfig(
        max_retries=retry.max_retries,
        include_exceptions=None if retry.include is None else set(retry.include),
        exclude_exceptions=None if retry.exclude is None else set(retry.exclude),
        wait_multiplier=retry.wait_multiplier,
        min_wait_sec=retry.min_wait_sec,
        max_wait_sec=retry.max_wait_sec,
    )


def verifier_config(timeouts: VerifierTimeouts, env: Mapping[str, str], *, disable: bool) -> VerifierConfig:
    """Build the wheel's configuration of verifiers."""
    return VerifierConfig(
        override_timeout_sec=timeouts.override, max_timeout_sec=timeouts.max, env=dict(env), disable=disable
    )


def multipliers(factors: Multipliers) -> dict[str, Any]:
    """Return the factors of timeouts by their names in the wheel's configuration."""
    return {
        "timeout_multiplier": factors.all,
        "agent_timeout_multiplier": factors.agent,
        "verifier_timeout_multiplier": factors.verifier,
        "agent_setup_timeout_multiplier": factors.agent_setup,
        "environment_build_timeout_multiplier": factors.environment_build,
    }
