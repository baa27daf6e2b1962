"""Faults of `run_trial`: mounted sandboxes, timeouts of the settings, models, and what ends the program."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any
from unittest import mock

from parity.driver import single_step, trial_life
from parity.driver.settings import AgentSettings, JobSettings
from parity.driver.trial_life import TrialLife
from parity.driver.trial_sandbox import TrialSandbox
from parity.driver.verifier import Verifier
from parity.operations.scenarios import execution
from tests.faulty.fault import Patch, breaks
from tests.faulty.patches import agent_ends_as_error, instead_of, replaced, while_patched


@breaks("run-trial/program-ends", seen_by="test_settings")
@instead_of(TrialSandbox, "exec")
async def ProgramEndIsRecorded(original: Any, *arguments: Any, **options: Any) -> Any:
    """Records what ends the program as the trial's error."""
    return await agent_ends_as_error(original, *arguments, **options)


@contextmanager
def _not_mounted(sandbox: Any) -> Iterator[None]:
    mounted, sandbox.mounted = sandbox.mounted, None
    try:
        yield
    finally:
        sandbox.mounted = mounted


@breaks("run-trial/mounted", seen_by="test_settings")
@instead_of(TrialLife, "fetch_agent_logs")
async def MountedLogsAreCarriedOver(original: Any, life: Any) -> None:
    """Downloads and uploads the agent's logs although they are the host's."""
    with _not_mounted(life.sandbox):
        await original(life)


@breaks("run-trial/mounted", seen_by="test_settings")
@instead_of(Verifier, "verify")
async def MountedRewardsAreDownloaded(
    original: Any, verifier: Any, sandbox: Any, *arguments: Any, **options: Any
) -> Any:
    """Downloads what the tests left although it is the host's."""
    with _not_mounted(sandbox):
        return await original(verifier, sandbox, *arguments, **options)


@breaks("run-trial/mounted", seen_by="test_settings")
@instead_of(single_step, "download_artifacts")
async def MountedArtifactsAreDownloaded(original: Any, sandbox: Any, *arguments: Any) -> None:
    """Downloads `/logs/artifacts` although it is the host's."""
    with _not_mounted(sandbox):
        await original(sandbox, *arguments)


@breaks("run-trial/mounted", seen_by="test_settings")
@while_patched
def MountedFoldersArePrivate() -> Patch:
    """Leaves the mounted folders to the host's user."""
    return mock.patch("pathlib.Path.chmod")


def _with_agent(**limits: object) -> Patch:
    """Trials whose agent is not limited by settings."""

    def changed(original: Any) -> Any:
        def plan(task: Any, name: str, folder: Any, settings: JobSettings, agent: AgentSettings, *more: Any) -> Any:
            return original(task, name, folder, settings, replace(agent, **limits), *more)  # type: ignore[arg-type]

        return plan

    return replaced(execution, "TrialPlan", changed)


@breaks("run-trial/override-timeout", seen_by="test_settings")
@while_patched
def OverrideIsIgnored() -> Patch:
    """Gives the agent the task's timeout, whatever the settings say."""
    return _with_agent(override_timeout=None)


@breaks("run-trial/longest-timeout", seen_by="test_golden")
@while_patched
def LongestTimeoutIsIgnored() -> Patch:
    """Gives the agent any timeout that the task says."""
    return _with_agent(max_timeout=None)


@breaks("run-trial/override-timeout", seen_by="test_settings")
@instead_of(trial_life, "agent_timeout")
def ZeroOverrideIsNoTime(original: Any, task: Any, step: Any, agent: AgentSettings, multipliers: Any) -> Any:
    """Gives the agent no time where the settings say 0."""
    return 0.0 if agent.override_timeout == 0.0 else original(task, step, agent, multipliers)


@breaks("run-trial/longest-timeout", seen_by="test_golden")
@instead_of(trial_life, "agent_timeout")
def LongestTimeoutIsMultiplied(original: Any, task: Any, step: Any, agent: AgentSettings, multipliers: Any) -> Any:
    """Cuts the timeout after it is multiplied."""
    whole = original(task, step, replace(agent, max_timeout=None), multipliers)
    return whole if whole is None or not agent.max_timeout else min(whole, agent.max_timeout)


@breaks("run-trial/override-timeout", seen_by="test_golden")
@instead_of(trial_life, "verifier_timeout")
def VerifierOverrideIsIgnored(original: Any, task: Any, step: Any, settings: JobSettings) -> Any:
    """Gives the verifier of a step its own timeout, whatever the settings say."""
    limits = replace(settings.verifier_timeouts, override=None if step else settings.verifier_timeouts.override)
    return original(task, step, replace(settings, verifier_timeouts=limits))


@breaks("run-trial/override-setup-timeout", seen_by="test_settings")
@while_patched
def SetupHasItsTime() -> Patch:
    """Gives the agent 360 seconds to set up, whatever the settings say."""
    return _with_agent(override_setup_timeout=None)


@breaks("run-trial/model", seen_by="test_settings")
@while_patched
def ProvidersAreLost() -> Patch:
    """Writes a model without its provider."""
    return mock.patch.object(AgentSettings, "model_provider", property(lambda agent: None))
