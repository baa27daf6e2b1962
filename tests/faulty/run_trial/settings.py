"""Faults of `run_trial`: mounted sandboxes, timeouts, models, what ends the program, and odd values in task.toml."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any
from unittest import mock

from parity.driver.settings import AgentSettings, JobSettings
from parity.driver.trial_sandbox import TrialSandbox
from parity.driver.verifier import Verifier
from parity.formats import task
from parity.operations.scenarios import execution
from tests.faulty.fault import Patch, breaks
from tests.faulty.patches import agent_ends_as_error, agents_of, each_task_toml, instead_of, replaced, while_patched


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
@instead_of(Verifier, "verify")
async def MountedRewardsAreDownloaded(
    original: Any, verifier: Any, sandbox: Any, *arguments: Any, **options: Any
) -> Any:
    """Downloads what the tests left although it is the host's."""
    with _not_mounted(sandbox):
        return await original(verifier, sandbox, *arguments, **options)


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


@breaks("run-trial/lax-values", seen_by="test_any_trial")
@each_task_toml
def UsersAreNames(values: dict[str, Any]) -> None:
    """Takes a user that is true or a float as the name of one."""
    for agent in agents_of(values):
        if isinstance(agent.get("user"), bool | float):
            agent["user"] = str(agent["user"])


@breaks("run-trial/size-with-unit", seen_by="test_what_is_seldom_drawn")
@while_patched
def KilobytesAreThousands() -> Patch:
    """Counts 1000 megabytes to a gigabyte."""
    return mock.patch.dict(task._SIZES, {"G": 1000.0, "K": 0.001})


@breaks("run-trial/nan-timeout", seen_by="test_what_is_seldom_drawn")
@each_task_toml
def NanIsNoTimeout(values: dict[str, Any]) -> None:
    """Does not limit the agent's time if its timeout is nan."""
    for agent in agents_of(values):
        if agent.get("timeout_sec") != agent.get("timeout_sec"):
            del agent["timeout_sec"]
