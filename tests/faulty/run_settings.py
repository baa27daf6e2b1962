"""Faults that show under settings that are seldom given: in jobs, and in single trials."""

import asyncio
from dataclasses import replace
from types import SimpleNamespace
from typing import Any
from unittest import mock

from parity.driver import job as running
from parity.driver import multi_step, single_step, trial_life
from parity.driver.documents.result_trees import TrialRecord
from parity.driver.settings import AgentSettings, JobSettings
from parity.driver.trial_sandbox import TrialSandbox
from parity.driver.verifier import Verifier
from parity.operations.scenarios import execution
from tests.faulty.job_runs import RecordedJobFault
from tests.faulty.trial_fault import Patch, TrialFault, replaced


class SettingsOfJobs(RecordedJobFault):
    """A runner that misses a setting of a job."""

    seen_by = "test_settings"


def _planned(change: Any) -> Patch:
    """Jobs that are planned under other settings."""
    return replaced(execution, "plan_job", lambda original: lambda settings, *more: original(change(settings), *more))


class NegativeCountsAreAll(SettingsOfJobs):
    """Takes a negative n_tasks for no limit."""

    breaks = "run-job/n-tasks"

    def wrong(self) -> Patch:
        return _planned(lambda settings: replace(settings, n_tasks=max(settings.n_tasks or 0, 0) or None))


class NoAttemptsAreOne(SettingsOfJobs):
    """Makes one attempt where there should be none."""

    breaks = "run-job/no-attempts"

    def wrong(self) -> Patch:
        return _planned(lambda settings: replace(settings, n_attempts=max(settings.n_attempts, 1)))


class AgentsBeforeTasks(SettingsOfJobs):
    """Lets the first agent make its attempts at all tasks before the second one."""

    breaks = "run-job/agents"

    def wrong(self) -> Patch:
        def changed(original: Any) -> Any:
            def planned(*arguments: Any) -> Any:
                plan = original(*arguments)
                ordered = sorted(plan.trials, key=lambda planned: planned.agent)
                trials = (replace(each, name=f"{each.name[:-7]}{place:07}") for place, each in enumerate(ordered))
                return replace(plan, trials=tuple(trials))

            return planned

        return replaced(execution, "plan_job", changed)


class OnlyTheFirstAgentWorks(SettingsOfJobs):
    """Lets the first of several agents make all attempts."""

    breaks = "run-job/agents"

    def wrong(self) -> Patch:
        return replaced(
            running,
            "TrialPlan",
            lambda original: (
                lambda task, name, folder, settings, agent, *more: original(
                    task, name, folder, settings, settings.agents[0], *more
                )
            ),
        )


class ModelsAreIgnored(SettingsOfJobs):
    """Counts all models of an agent together."""

    breaks = "run-job/models"

    def wrong(self) -> Patch:
        return replaced(TrialRecord, "job_trial", lambda original: lambda record: replace(original(record), model=None))


class ModelsKeepTheirProvider(SettingsOfJobs):
    """Takes the provider for a part of the model's name."""

    breaks = "run-job/models"

    def wrong(self) -> Patch:
        return mock.patch.object(AgentSettings, "model_name", property(lambda agent: agent.model or None))


class OnlyTheFirstMetric(SettingsOfJobs):
    """Computes the first of several metrics."""

    breaks = "run-job/metrics"

    def wrong(self) -> Patch:
        return replaced(
            running, "metrics_of_datasets", lambda original: lambda metrics, names: original(metrics[:1], names)
        )


class AtMostFourAtATime(SettingsOfJobs):
    """Never runs more than four trials at a time."""

    breaks = "run-job/concurrency"

    def wrong(self) -> Patch:
        semaphore = SimpleNamespace(**{**vars(asyncio), "Semaphore": lambda most: asyncio.Semaphore(min(most, 4))})
        return mock.patch.object(running, "asyncio", semaphore)


class AtMostThreeRetries(SettingsOfJobs):
    """Never runs a trial again more than three times."""

    breaks = "run-job/retried"
    seen_by = "test_many_trials"

    def wrong(self) -> Patch:
        def changed(original: Any) -> Any:
            async def run(work: Any, trial: Any) -> Any:
                settings = work._plan.settings
                fewer = replace(settings.retry, max_retries=min(settings.retry.max_retries, 3))
                work._plan = replace(work._plan, settings=replace(settings, retry=fewer))
                try:
                    return await original(work, trial)
                finally:
                    work._plan = replace(work._plan, settings=settings)

            return run

        return replaced(running._Running, "_run_with_retries", changed)


def _agent_ends_as_error(original: Any) -> Any:
    """What ends the program becomes an error of the agent."""

    async def run(*arguments: Any, **options: Any) -> Any:
        try:
            return await original(*arguments, **options)
        except (SystemExit, KeyboardInterrupt) as error:
            raise RuntimeError(str(error)) from error

    return run


class ProgramEndIsAnErrorOfTheTrial(SettingsOfJobs):
    """Catches what should end the program, and goes on with the next trial."""

    breaks = "run-job/program-ends"

    def wrong(self) -> Patch:
        return replaced(TrialSandbox, "exec", _agent_ends_as_error)


class SettingsOfTrials(TrialFault):
    """A runner that misses a setting of a trial."""

    seen_by = "test_settings"


class ProgramEndIsRecorded(SettingsOfTrials):
    """Records what ends the program as the trial's error."""

    breaks = "run-trial/program-ends"

    def wrong(self) -> Patch:
        return replaced(TrialSandbox, "exec", _agent_ends_as_error)


class MountedLogsAreCarriedOver(SettingsOfTrials):
    """Downloads and uploads the agent's logs although they are the host's."""

    breaks = "run-trial/mounted"

    def wrong(self) -> Patch:
        def changed(original: Any) -> Any:
            async def fetch(life: Any) -> None:
                mounted, life.sandbox.mounted = life.sandbox.mounted, None
                try:
                    await original(life)
                finally:
                    life.sandbox.mounted = mounted

            return fetch

        return replaced(trial_life.TrialLife, "fetch_agent_logs", changed)


class MountedRewardsAreDownloaded(SettingsOfTrials):
    """Downloads what the tests left although it is the host's."""

    breaks = "run-trial/mounted"

    def wrong(self) -> Patch:
        def changed(original: Any) -> Any:
            async def verify(verifier: Any, sandbox: Any, *arguments: Any, **options: Any) -> Any:
                mounted, sandbox.mounted = sandbox.mounted, None
                try:
                    return await original(verifier, sandbox, *arguments, **options)
                finally:
                    sandbox.mounted = mounted

            return verify

        return replaced(Verifier, "verify", changed)


class MountedArtifactsAreDownloaded(SettingsOfTrials):
    """Downloads `/logs/artifacts` although it is the host's."""

    breaks = "run-trial/mounted"

    def wrong(self) -> Patch:
        def changed(original: Any) -> Any:
            async def download(sandbox: Any, *arguments: Any) -> None:
                mounted, sandbox.mounted = sandbox.mounted, None
                try:
                    await original(sandbox, *arguments)
                finally:
                    sandbox.mounted = mounted

            return download

        return replaced(single_step, "download_artifacts", changed)


class MountedFoldersArePrivate(SettingsOfTrials):
    """Leaves the mounted folders to the host's user."""

    breaks = "run-trial/mounted"

    def wrong(self) -> Patch:
        return mock.patch("pathlib.Path.chmod")


def _with_agent(**limits: object) -> Patch:
    """Trials whose agent is not limited by settings."""

    def changed(original: Any) -> Any:
        def plan(task: Any, name: str, folder: Any, settings: JobSettings, agent: AgentSettings, *more: Any) -> Any:
            return original(task, name, folder, settings, replace(agent, **limits), *more)  # type: ignore[arg-type]

        return plan

    return replaced(execution, "TrialPlan", changed)


class OverrideIsIgnored(SettingsOfTrials):
    """Gives the agent the task's timeout, whatever the settings say."""

    breaks = "run-trial/override-timeout"

    def wrong(self) -> Patch:
        return _with_agent(override_timeout=None)


class LongestTimeoutIsIgnored(SettingsOfTrials):
    """Gives the agent any timeout that the task says."""

    breaks = "run-trial/longest-timeout"
    seen_by = "test_golden"

    def wrong(self) -> Patch:
        return _with_agent(max_timeout=None)


class ZeroOverrideIsNoTime(SettingsOfTrials):
    """Gives the agent no time where the settings say 0."""

    breaks = "run-trial/override-timeout"

    def wrong(self) -> Patch:
        def changed(original: Any) -> Any:
            def limit(task: Any, step: Any, agent: AgentSettings, multipliers: Any) -> Any:
                return 0.0 if agent.override_timeout == 0.0 else original(task, step, agent, multipliers)

            return limit

        return replaced(single_step, "agent_timeout", changed)


class LongestTimeoutIsMultiplied(SettingsOfTrials):
    """Cuts the timeout after it is multiplied."""

    breaks = "run-trial/longest-timeout"
    seen_by = "test_golden"

    def wrong(self) -> Patch:
        def changed(original: Any) -> Any:
            def limit(task: Any, step: Any, agent: AgentSettings, multipliers: Any) -> Any:
                whole = original(task, step, replace(agent, max_timeout=None), multipliers)
                return whole if whole is None or not agent.max_timeout else min(whole, agent.max_timeout)

            return limit

        return replaced(single_step, "agent_timeout", changed)


class VerifierOverrideIsIgnored(SettingsOfTrials):
    """Gives the verifier of a step its own timeout, whatever the settings say."""

    breaks = "run-trial/override-timeout"
    seen_by = "test_golden"

    def wrong(self) -> Patch:
        def changed(original: Any) -> Any:
            def limit(task: Any, step: Any, settings: JobSettings) -> Any:
                limits = replace(settings.verifier_timeouts, override=None)
                return original(task, step, replace(settings, verifier_timeouts=limits))

            return limit

        return replaced(multi_step, "verifier_timeout", changed)


class SetupHasItsTime(SettingsOfTrials):
    """Gives the agent 360 seconds to set up, whatever the settings say."""

    breaks = "run-trial/override-setup-timeout"

    def wrong(self) -> Patch:
        return _with_agent(override_setup_timeout=None)


class ProvidersAreLost(SettingsOfTrials):
    """Writes a model without its provider."""

    breaks = "run-trial/model"

    def wrong(self) -> Patch:
        return mock.patch.object(AgentSettings, "model_provider", property(lambda agent: None))
