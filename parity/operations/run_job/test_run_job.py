"""`run_job`: from the plan of a whole job to its result."""

import pytest
from hypothesis import given

from parity.operations.run_job import RUN_JOB
from parity.operations.run_job.settings_strategies import many_trials, settings_jobs
from parity.operations.run_job.strategies import (
    decided_scenarios,
    ended_scenarios,
    job_scenarios,
    rare_jobs,
    retried_scenarios,
)
from parity.operations.scenarios.scenario import JobScenario
from parity.suite.checker import Checker
from parity.suite.plugin.profiles import Profile, cases
from parity.suite.plugin.vector_test import golden_test

pytestmark = pytest.mark.operation(RUN_JOB.name)


@cases(36)
@given(scenario=job_scenarios())
def test_jobs(checker: Checker, scenario: JobScenario) -> None:
    """Jobs run the same trials, at the same times and equally often, and write the same files."""
    checker.check(RUN_JOB, [scenario])


@cases(32)
@given(scenario=retried_scenarios())
def test_retries(checker: Checker, scenario: JobScenario) -> None:
    """After an error, a trial is run again, or not, at the same time."""
    checker.check(RUN_JOB, [scenario])


@cases(10)
@given(scenario=ended_scenarios())
def test_ends(checker: Checker, scenario: JobScenario) -> None:
    """Jobs agree if one trial is cancelled alone, or has a reward beyond the range of a double."""
    checker.check(RUN_JOB, [scenario])


@cases(16)
@given(scenario=settings_jobs())
def test_settings(checker: Checker, scenario: JobScenario) -> None:
    """Jobs agree under rare settings: agents, models, metrics, mounted sandboxes, n_tasks, attempts, concurrency."""
    checker.check(RUN_JOB, [scenario])


def test_many_trials(checker: Checker) -> None:
    """A job of a hundred trials, nine at a time, runs and counts them in the same way."""
    checker.check(RUN_JOB, [many_trials()])


def test_decisions(checker: Checker, profile: Profile) -> None:
    """An error is retried, or not, under each way to include or exclude it."""
    for scenario in profile.part_of(decided_scenarios()):
        checker.check(RUN_JOB, [scenario])


def test_rare_jobs(checker: Checker) -> None:
    """Rarely drawn jobs agree: a retried trial without rewards, nan rewards."""
    for scenario in rare_jobs():
        checker.check(RUN_JOB, [scenario])


test_golden = golden_test(RUN_JOB)
