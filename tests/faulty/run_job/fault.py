"""What faulty runners have in common that run jobs wrong."""

import asyncio
import json
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import wraps
from types import SimpleNamespace
from typing import Any
from unittest import mock

from parity.driver import job as running
from parity.driver.documents.configurations import PlannedTrial
from parity.driver.job_plan import JobPlan
from parity.driver.settings import RetrySettings
from parity.operations.scenarios import execution
from parity.operations.scenarios.records import Record
from parity.operations.scenarios.scenario import JobScenario
from parity.runners import CleanRoom
from tests.faulty.fault import Answer, Patch
from tests.faulty.patches import patching, replaced


def in_record(change: Callable[[Record], None]) -> Answer:
    """What became of a job, written down with something changed."""

    @wraps(change)
    def run_job(right: CleanRoom, scenario: JobScenario) -> Record:
        record: Record = json.loads(json.dumps(right.run_job(scenario)))
        change(record)
        return record

    return run_job


@patching
def in_plan(change: Callable[[JobPlan], JobPlan]) -> Patch:
    """Jobs that are run by another plan."""
    return replaced(execution, "plan_job", lambda original: lambda *arguments: change(original(*arguments)))


def numbered(trials: Iterable[PlannedTrial]) -> tuple[PlannedTrial, ...]:
    """Planned trials with the names that they have in this order."""
    return tuple(replace(trial, name=f"{trial.name[:-7]}{place:07}") for place, trial in enumerate(trials))


@patching
def in_retries(change: Callable[[RetrySettings], RetrySettings]) -> Patch:
    """Jobs that are planned as they should be, and run with other retries."""

    def changed(original: Any) -> Any:
        async def run(work: Any, trial: Any) -> Any:
            settings = work._plan.settings
            work._plan = replace(work._plan, settings=replace(settings, retry=change(settings.retry)))
            try:
                return await original(work, trial)
            finally:
                work._plan = replace(work._plan, settings=settings)

        return run

    return replaced(running._RunningJob, "_run_with_retries", changed)


@patching
def at_a_time(change: Callable[[int], int]) -> Patch:
    """Jobs that run another number of trials at a time."""
    return like_asyncio(Semaphore=lambda most: asyncio.Semaphore(change(most)))


def like_asyncio(**others: Any) -> Patch:
    """Jobs that are run by something like asyncio."""
    return mock.patch.object(running, "asyncio", SimpleNamespace(**{**vars(asyncio), **others}))
