"""Faults that show under settings of a job that are seldom given."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any
from unittest import mock

from parity.driver import job as running
from parity.driver.job_plan import JobPlan
from parity.driver.settings import AgentSettings, JobSettings, RetrySettings
from parity.driver.trial_sandbox import TrialSandbox
from parity.operations.scenarios import execution
from tests.faulty.fault import Patch, breaks
from tests.faulty.patches import agent_ends_as_error, instead_of, patching, replaced, while_patched
from tests.faulty.run_job.fault import in_plan, in_retries, numbered


@patching
def in_settings(change: Callable[[JobSettings], JobSettings]) -> Patch:
    """Jobs that are planned under other settings."""
    return replaced(execution, "plan_job", lambda original: lambda settings, *more: original(change(settings), *more))


@breaks("run-job/n-tasks", seen_by="test_settings")
@in_settings
def NegativeCountsAreAll(settings: JobSettings) -> JobSettings:
    """Takes a negative n_tasks for no limit."""
    return replace(settings, n_tasks=max(settings.n_tasks or 0, 0) or None)


@breaks("run-job/no-attempts", seen_by="test_settings")
@in_settings
def NoAttemptsAreOne(settings: JobSettings) -> JobSettings:
    """Makes one attempt where there should be none."""
    return replace(settings, n_attempts=max(settings.n_attempts, 1))


@breaks("run-job/agents", seen_by="test_settings")
@in_plan
def AgentsBeforeTasks(plan: JobPlan) -> JobPlan:
    """Lets the first agent make its attempts at all tasks before the second one."""
    return replace(plan, trials=numbered(sorted(plan.trials, key=lambda trial: trial.agent)))


@breaks("run-job/models", seen_by="test_settings")
@while_patched
def ModelsKeepTheirProvider() -> Patch:
    """Takes the provider for a part of the model's name."""
    return mock.patch.object(AgentSettings, "model_name", property(lambda agent: agent.model or None))


@breaks("run-job/metrics", seen_by="test_settings")
@instead_of(running, "metrics_of_datasets")
def OnlyTheFirstMetric(original: Any, metrics: Any, names: Any) -> Any:
    """Computes the first of several metrics."""
    return original(metrics[:1], names)


@breaks("run-job/retry-limit", seen_by="test_many_trials")
@in_retries
def AtMostThreeRetries(retry: RetrySettings) -> RetrySettings:
    """Never runs a trial again more than three times."""
    return replace(retry, max_retries=min(retry.max_retries, 3))


@breaks("run-job/program-ends", seen_by="test_settings")
@instead_of(TrialSandbox, "exec")
async def ProgramEndIsAnErrorOfTheTrial(original: Any, *arguments: Any, **options: Any) -> Any:
    """Catches what should end the program, and goes on with the next trial."""
    return await agent_ends_as_error(original, *arguments, **options)
