"""`run_job`: whole jobs, from their plan to their result."""

import pytest
from hypothesis import given

from parity.judging.checking import Checker
from parity.operations.run_job import RUN_JOB
from parity.operations.run_job.earlier_strategies import damaged_scenarios, edited_scenarios, resumed_scenarios
from parity.operations.run_job.rare_cases import seldom_jobs
from parity.operations.run_job.settings_strategies import many_trials, settings_jobs
from parity.operations.run_job.strategies import decided_scenarios, ended_scenarios, job_scenarios, retried_scenarios
from parity.operations.run_job.vectors import VECTORS
from parity.operations.scenarios.scenario import JobScenario
from parity.pytest_plugin.profiles import Profile, cases
from parity.pytest_plugin.vectors import golden_test

pytestmark = pytest.mark.operation(RUN_JOB.name)


@cases(36)
@given(scenario=job_scenarios())
def test_jobs(checker: Checker, scenario: JobScenario) -> None:
    """Which trials are run, when, and how often; their stats, and the job's files."""
    checker.check(RUN_JOB, [scenario])


@cases(32)
@given(scenario=retried_scenarios())
def test_retries(checker: Checker, scenario: JobScenario) -> None:
    """Errors, and whether and when a trial is run again after them."""
    checker.check(RUN_JOB, [scenario])


@cases(10)
@given(scenario=ended_scenarios())
def test_ends(checker: Checker, scenario: JobScenario) -> None:
    """A trial that is cancelled alone, or whose reward is beyond the range of a double."""
    checker.check(RUN_JOB, [scenario])


@cases(16)
@given(scenario=settings_jobs())
def test_settings(checker: Checker, scenario: JobScenario) -> None:
    """Several agents, models and metrics, mounted sandboxes, some of the tasks, no attempts, many trials at a time."""
    checker.check(RUN_JOB, [scenario])


def test_many_trials(checker: Checker) -> None:
    """A hundred of them, nine at a time."""
    checker.check(RUN_JOB, [many_trials()])


@cases(12)
@given(scenario=resumed_scenarios())
def test_going_on(checker: Checker, scenario: JobScenario) -> None:
    """A job whose earlier runs ended, were killed, or left nothing: what is kept, and what runs again."""
    checker.check(RUN_JOB, [scenario])


@cases(36)
@given(scenario=damaged_scenarios())
def test_refusals(checker: Checker, scenario: JobScenario) -> None:
    """A job that was run with other settings, or whose files are not what they should be."""
    checker.check(RUN_JOB, [scenario])


@cases(24)
@given(scenario=edited_scenarios())
def test_edited_documents(checker: Checker, scenario: JobScenario) -> None:
    """A job whose lock.json was edited, or whose result.json is that of an older version of Harbor."""
    checker.check(RUN_JOB, [scenario])


def test_decisions(checker: Checker, profile: Profile) -> None:
    """Whether an error is retried, under each way to include or exclude it."""
    for scenario in profile.part_of(decided_scenarios()):
        checker.check(RUN_JOB, [scenario])


def test_what_is_seldom_drawn(checker: Checker) -> None:
    """A trial without rewards is run again, and taken out of the stats before that; rewards are nan."""
    for scenario in seldom_jobs():
        checker.check(RUN_JOB, [scenario])


test_golden = golden_test(RUN_JOB, VECTORS)
