"""Faults of trials before the agent works: the sandbox, its health, its variables and working directory."""

import asyncio
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from functools import partial
from typing import Any

from parity.driver import agents, trial_life, trial_plan, trial_sandbox, verifier
from parity.driver.trial_life import TrialLife
from parity.driver.trial_plan import TrialPlan
from parity.driver.trial_sandbox import TrialSandbox
from parity.formats.task import Healthcheck, TaskConfig
from tests.faulty.fault import Patch, breaks
from tests.faulty.patches import altered, instead_of, patching, replaced
from tests.faulty.run_trial.fault import each_config


def _environment(config: TaskConfig, **changes: Any) -> TaskConfig:
    return altered(config, environment=altered(config.environment, **changes))


@patching
def _resolving(resolve: Callable[..., Any]) -> Patch:
    """Every place that fills in templates does so in another way; given the right way, the variables and the host's."""
    stack = ExitStack()
    for module in (agents, trial_plan, verifier):
        stack.enter_context(replaced(module, "resolve", lambda original: partial(resolve, original)))
    return stack


@breaks("run-trial/missing-variable", seen_by="test_any_trial")
@_resolving
def MissingVariablesAreEmpty(resolve: Any, env: Mapping[str, str], host: Mapping[str, str]) -> Any:
    """Takes the empty string for a variable that is not set."""
    return resolve(env, {"MISSING": "", **host} if "${MISSING}" in env.values() else host)


@breaks("run-trial/templates", seen_by="test_any_trial")
@_resolving
def TemplatesStay(resolve: Any, env: Mapping[str, str], host: Mapping[str, str]) -> Any:
    """Hands templates on as they are written."""
    return dict(env)


@breaks("run-trial/templates", seen_by="test_injected_fault_in_each_call")
@_resolving
def EmptyVariablesAreMissing(resolve: Any, env: Mapping[str, str], host: Mapping[str, str]) -> Any:
    """Takes the default for a variable that is set but empty."""
    return resolve(env, {name: text for name, text in host.items() if text})


@breaks("run-trial/start-timeout", seen_by="test_any_trial")
@instead_of(trial_life, "build_timeout")
def SandboxesMayTakeTheirTime(original: Any, config: Any, multipliers: Any) -> float:
    """Waits for a sandbox however long it takes to start."""
    return 1e9


@breaks("run-trial/agent-setup-timeout", seen_by="test_any_trial")
@instead_of(trial_life, "agent_setup_timeout")
def AgentsHaveNoSetUpTimeout(original: Any, multipliers: Any) -> float:
    """Does not limit how long the agent takes to set up."""
    return 360.0


@breaks("run-trial/sandbox", seen_by="test_any_trial")
@each_config
def NetworkIsAlwaysThere(config: TaskConfig) -> TaskConfig:
    """Gives tasks the network that ask for none."""
    return _environment(config, network_mode="public")


@breaks("run-trial/image-files", seen_by="test_injected_faults")
@instead_of(trial_sandbox, "_holds_plain_files")
def ImagesGetNoFiles(original: Any, folder: Any) -> bool:
    """Does not upload the environment's files where an image is named."""
    return False


@breaks("run-trial/working-directory", seen_by="test_any_trial")
@each_config
def WorkdirIsIgnored(config: TaskConfig) -> TaskConfig:
    """Runs commands where the image does."""
    return _environment(config, workdir=None)


@breaks("run-trial/asked-working-directory", seen_by="test_injected_faults")
@instead_of(TrialSandbox, "working_directory")
async def WorkingDirectoryIsApp(original: Any, sandbox: TrialSandbox) -> str:
    """Takes for granted that the sandbox works in /app."""
    await original(sandbox)
    return "/app"


@breaks("run-trial/task-variables", seen_by="test_any_trial")
@instead_of(TrialSandbox, "exec")
async def TaskVariablesAreForTheAgent(original: Any, sandbox: Any, command: str, **options: Any) -> Any:
    """Gives the task's variables to the agent alone."""
    kept, sandbox._env = sandbox._env, sandbox._env if "/logs/agent" in command else {}
    try:
        return await original(sandbox, command, **options)
    finally:
        sandbox._env = kept


@patching
def each_healthcheck(change: Callable[[Healthcheck], Healthcheck | None]) -> Patch:
    """Healthchecks that are other ones than they should be."""

    def changed(original: Any) -> Any:
        async def check_health(sandbox: TrialSandbox, check: Healthcheck | None) -> None:
            await original(sandbox, None if check is None else change(check))

        return check_health

    return replaced(TrialSandbox, "check_health", changed)


@breaks("run-trial/healthcheck-start-period", seen_by="test_injected_fault_in_each_call")
@each_healthcheck
def StartPeriodsCount(check: Healthcheck) -> Healthcheck:
    """Counts failures of a healthcheck from the beginning."""
    return altered(check, start_period_sec=0.0)


@breaks("run-trial/healthcheck-retries", seen_by="test_injected_fault_in_each_call")
@each_healthcheck
def RetriesAreCountedFromZero(check: Healthcheck) -> Healthcheck:
    """Tries a healthcheck once more than it may."""
    return altered(check, retries=max(check.retries, 1) + 1)


@breaks("run-trial/healthcheck-interval", seen_by="test_injected_fault_in_each_call")
@each_healthcheck
def HealthIsCheckedAtOnce(check: Healthcheck) -> Healthcheck:
    """Does not wait between two tries of a healthcheck."""
    return altered(check, interval_sec=0.0)


@breaks("run-trial/healthcheck-first", seen_by="test_injected_faults")
@each_healthcheck
def HealthIsNotChecked(check: Healthcheck) -> None:
    """Lets the agent begin without a healthcheck."""


@breaks("run-trial/healthcheck-command", seen_by="test_injected_faults")
@instead_of(TrialLife, "prepare")
async def HealthIsCheckedAsTheAgent(original: Any, life: TrialLife) -> None:
    """Checks the health of the environment as the agent's user."""
    with life.sandbox.as_user(life.config.agent.user):
        await original(life)


@breaks("run-trial/separate-sandbox", seen_by="test_any_trial")
@instead_of(TrialPlan, "verifier_sandbox")
def VerifiersShareTheEnvironment(original: Any, plan: TrialPlan, context: Any, step: object) -> Any:
    """Builds a verifier's own sandbox as the agent's."""
    return plan.sandbox(context)


@breaks("run-trial/stop-once", seen_by="test_any_trial")
@instead_of(TrialLife, "stop")
async def SandboxesNeverStop(original: Any, life: TrialLife) -> None:
    """Leaves the agent's sandbox running."""
    await asyncio.sleep(0)
