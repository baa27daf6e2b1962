"""Faults of trials before the agent works: the sandbox, its health, its variables and working directory."""

import asyncio
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import replace
from typing import Any

from parity.driver import agents, trial_life, trial_plan, trial_sandbox, verifier
from parity.driver.task_config import EnvironmentConfig, Healthcheck, TaskConfig
from parity.driver.trial_life import TrialLife
from parity.driver.trial_plan import TrialPlan
from parity.driver.trial_sandbox import TrialSandbox
from tests.faulty.patches import Patch, replaced
from tests.faulty.run_trial.fault import TrialFault, with_config, with_exec


def _environment(config: TaskConfig, **changes: Any) -> TaskConfig:
    return replace(config, environment=replace(config.environment, **changes))


def _resolving(change: Any) -> Patch:
    """Every place that replaces templates, replaced."""
    stack = ExitStack()
    for module in (agents, trial_plan, verifier):
        stack.enter_context(replaced(module, "resolve", change))
    return stack


class MissingVariablesAreEmpty(TrialFault):
    """Takes the empty string for a variable that is not set."""

    breaks = "run-trial/missing-variable"

    def wrong(self) -> Patch:
        def lenient(resolve: Any) -> Any:
            def resolved(env: Mapping[str, str], host: Mapping[str, str]) -> Any:
                return resolve(env, {"MISSING": "", **host} if "${MISSING}" in env.values() else host)

            return resolved

        return _resolving(lenient)


class TemplatesStay(TrialFault):
    """Hands templates on as they are written."""

    breaks = "run-trial/templates"

    def wrong(self) -> Patch:
        return _resolving(lambda resolve: lambda env, host: dict(env))


class EmptyVariablesAreMissing(TrialFault):
    """Takes the default for a variable that is set but empty."""

    breaks = "run-trial/templates"
    seen_by = "test_injected_fault_in_each_call"

    def wrong(self) -> Patch:
        def strict(resolve: Any) -> Any:
            return lambda env, host: resolve(env, {name: text for name, text in host.items() if text})

        return _resolving(strict)


class SandboxesMayTakeTheirTime(TrialFault):
    """Waits for a sandbox however long it takes to start."""

    breaks = "run-trial/start-timeout"

    def wrong(self) -> Patch:
        return replaced(trial_life, "build_timeout", lambda original: lambda config, multipliers: 1e9)


class AgentsHaveNoSetUpTimeout(TrialFault):
    """Does not limit how long the agent takes to set up."""

    breaks = "run-trial/agent-setup-timeout"

    def wrong(self) -> Patch:
        return replaced(trial_life, "agent_setup_timeout", lambda original: lambda multipliers: 360.0)


class NetworkIsAlwaysThere(TrialFault):
    """Gives tasks the network that ask for none."""

    breaks = "run-trial/sandbox"

    def wrong(self) -> Patch:
        return with_config(lambda config: _environment(config, network_mode="public"))


class ImagesGetNoFiles(TrialFault):
    """Does not upload the environment's files where an image is named."""

    breaks = "run-trial/image-files"
    seen_by = "test_injected_faults"

    def wrong(self) -> Patch:
        return replaced(trial_sandbox, "_holds_plain_files", lambda original: lambda folder: False)


class WorkdirIsIgnored(TrialFault):
    """Runs commands where the image does."""

    breaks = "run-trial/working-directory"

    def wrong(self) -> Patch:
        return with_config(lambda config: _environment(config, workdir=None))


class WorkingDirectoryIsApp(TrialFault):
    """Takes for granted that the sandbox works in /app."""

    breaks = "run-trial/asked-working-directory"
    seen_by = "test_injected_faults"

    def wrong(self) -> Patch:
        def guessed(original: Any) -> Any:
            async def working_directory(sandbox: TrialSandbox) -> str:
                await original(sandbox)
                return "/app"

            return working_directory

        return replaced(TrialSandbox, "working_directory", guessed)


class TaskVariablesAreForTheAgent(TrialFault):
    """Gives the task's variables to the agent alone."""

    breaks = "run-trial/task-variables"

    def wrong(self) -> Patch:
        def without(original: Any) -> Any:
            async def exec_(sandbox: Any, command: str, **options: Any) -> Any:
                kept, sandbox._env = sandbox._env, sandbox._env if "/logs/agent" in command else {}
                try:
                    return await original(sandbox, command, **options)
                finally:
                    sandbox._env = kept

            return exec_

        return replaced(TrialSandbox, "exec", without)


def _with_checks(change: Any) -> Patch:
    """Healthchecks that are other ones than they should be."""

    def changed(original: Any) -> Any:
        async def check_health(sandbox: TrialSandbox, check: Healthcheck | None) -> None:
            await original(sandbox, None if check is None else change(check))

        return check_health

    return replaced(TrialSandbox, "check_health", changed)


class StartPeriodsCount(TrialFault):
    """Counts failures of a healthcheck from the beginning."""

    breaks = "run-trial/healthcheck-start-period"
    seen_by = "test_injected_fault_in_each_call"

    def wrong(self) -> Patch:
        return _with_checks(lambda check: replace(check, start_period=0.0))


class RetriesAreCountedFromZero(TrialFault):
    """Tries a healthcheck once more than it may."""

    breaks = "run-trial/healthcheck-retries"
    seen_by = "test_injected_fault_in_each_call"

    def wrong(self) -> Patch:
        return _with_checks(lambda check: replace(check, retries=max(check.retries, 1) + 1))


class HealthIsCheckedAtOnce(TrialFault):
    """Does not wait between two tries of a healthcheck."""

    breaks = "run-trial/healthcheck-interval"
    seen_by = "test_injected_fault_in_each_call"

    def wrong(self) -> Patch:
        return _with_checks(lambda check: replace(check, interval=0.0))


class HealthIsNotChecked(TrialFault):
    """Lets the agent begin without a healthcheck."""

    breaks = "run-trial/healthcheck-first"
    seen_by = "test_injected_faults"

    def wrong(self) -> Patch:
        return _with_checks(lambda check: None)


class HealthIsCheckedAsTheAgent(TrialFault):
    """Checks the health of the environment as the agent's user."""

    breaks = "run-trial/healthcheck-command"
    seen_by = "test_injected_faults"

    def wrong(self) -> Patch:
        def changed(original: Any) -> Any:
            async def prepare(life: TrialLife) -> None:
                with life.sandbox.as_user(life.config.agent.user):
                    await original(life)

            return prepare

        return replaced(TrialLife, "prepare", changed)


class HealthchecksTakeTheirTime(TrialFault):
    """Lets a healthcheck run as long as it takes."""

    breaks = "run-trial/healthcheck-command"
    seen_by = "test_injected_faults"

    def wrong(self) -> Patch:
        return _with_checks(lambda check: replace(check, timeout=0.0))


class VerifiersShareTheEnvironment(TrialFault):
    """Builds a verifier's own sandbox as the agent's."""

    breaks = "run-trial/separate-sandbox"

    def wrong(self) -> Patch:
        def shared(original: Any) -> Any:
            def sandbox(plan: TrialPlan, context: Any, name: str, folder: Any, config: EnvironmentConfig) -> Any:
                return original(plan, context, name, plan.task.environment, plan.task.config.environment)

            return sandbox

        return replaced(TrialPlan, "verifier_sandbox", shared)


class LogFoldersAreMadeInTheWorkdir(TrialFault):
    """Makes the log folders in the task's working directory, which may not be there yet."""

    breaks = "run-trial/working-directory"

    def wrong(self) -> Patch:
        def changed(original: Any) -> Any:
            async def start(sandbox: Any) -> None:
                inner = sandbox._sandbox
                exec_ = inner.exec

                async def elsewhere(command: str, **options: Any) -> Any:
                    if options.get("cwd") == "/":
                        options["cwd"] = sandbox._config.workdir or None
                    return await exec_(command, **options)

                inner.exec = elsewhere
                await original(sandbox)

            return start

        return replaced(TrialSandbox, "start", changed)


class PreparationIsLeftToTheAgent(TrialFault):
    """Prepares sandboxes as whoever works in them."""

    breaks = "run-trial/root-commands"

    def wrong(self) -> Patch:
        def change(command: str, options: dict[str, Any]) -> tuple[str, dict[str, Any]]:
            return command, {**options, "user": None} if options.get("user") == "root" else options

        return with_exec(change)


class SandboxesNeverStop(TrialFault):
    """Leaves the agent's sandbox running."""

    breaks = "run-trial/stop-once"

    def wrong(self) -> Patch:
        def changed(original: Any) -> Any:
            async def stop(life: TrialLife) -> None:
                await asyncio.sleep(0)

            return stop

        return replaced(TrialLife, "stop", changed)
