"""Tests that `run_job` plans, runs and records whole jobs like the reference."""

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
from parity.plugin.profiles import Profile, cases
from parity.plugin.vector_test import golden_test
from parity.suite.checker import Checker

pytestmark = pytest.mark.operation(RUN_JOB.name)


@cases(36)
@given(scenario=job_scenarios())
def test_jobs(checker: Checker, scenario: JobScenario) -> None:
    """Runner and reference run the same trials, at the same times and equally often, and write the same files."""
    checker.check(RUN_JOB, [scenario])


@cases(32)
@given(scenario=retried_scenarios())
def test_retries(checker: Checker, scenario: JobScenario) -> None:
    """Runner and reference run the same failed trials again, at the same times."""
    checker.check(RUN_JOB, [scenario])


@cases(10)
@given(scenario=ended_scenarios())
def test_cancellation_and_overflow(checker: Checker, scenario: JobScenario) -> None:
    """Runner and reference agree if a single trial is cancelled, or has a reward beyond the range of a double."""
    checker.check(RUN_JOB, [scenario])


@cases(16)
@given(scenario=settings_jobs())
def test_settings(checker: Checker, scenario: JobScenario) -> None:
    """Runner and reference agree under rare settings, such as several agents, mounted sandboxes and n_tasks."""
    checker.check(RUN_JOB, [scenario])


def test_many_trials(checker: Checker) -> None:
    """Runner and reference run and count a hundred trials, nine at a time, in the same way."""
    checker.check(RUN_JOB, [many_trials()])


def test_retry_decisions(checker: Checker, profile: Profile) -> None:
    """Runner and reference decide alike whether an error is retried, for each way to include or exclude the error."""
    for scenario in profile.part_of(decided_scenarios()):
        checker.check(RUN_JOB, [scenario])


def test_rare_jobs(checker: Checker) -> None:
    """Runner and reference agree on jobs that are rarely drawn: a retried trial without rewards, and nan rewards."""
    for scenario in rare_jobs():
        checker.check(RUN_JOB, [scenario])


test_golden = golden_test(RUN_JOB)
