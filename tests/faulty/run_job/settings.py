"""Faults that show under settings of a job that are seldom given."""

import asyncio
from dataclasses import replace
from types import SimpleNamespace
from typing import Any
from unittest import mock

from parity.driver import job as running
from parity.driver.documents.result_trees import TrialRecord
from parity.driver.settings import AgentSettings
from parity.driver.trial_sandbox import TrialSandbox
from parity.operations.scenarios import execution
from tests.faulty.patches import Patch, agent_ends_as_error, replaced
from tests.faulty.run_job.fault import JobFault


class SettingsOfJobs(JobFault):
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

        return replaced(running._RunningJob, "_run_with_retries", changed)


class ProgramEndIsAnErrorOfTheTrial(SettingsOfJobs):
    """Catches what should end the program, and goes on with the next trial."""

    breaks = "run-job/program-ends"

    def wrong(self) -> Patch:
        return replaced(TrialSandbox, "exec", agent_ends_as_error)
