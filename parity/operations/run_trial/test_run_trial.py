"""Tests that `run_trial` runs and records trials like the reference."""

import pytest
from hypothesis import given

from parity.operations.run_trial import RUN_TRIAL
from parity.operations.run_trial.strategies import rare_trials, scenarios_with_effects, settings_trials, trial_scenarios
from parity.operations.scenarios.event_strategies import faulty_scenarios
from parity.operations.scenarios.scenario import TrialScenario
from parity.plugin.profiles import Profile, cases
from parity.plugin.vector_test import golden_test
from parity.suite.checker import Checker

pytestmark = pytest.mark.operation(RUN_TRIAL.name)


@cases(120)
@given(scenario=trial_scenarios)
def test_any_trial(checker: Checker, scenario: TrialScenario) -> None:
    """Runner and reference make the same calls in a trial, and leave the same result and files."""
    checker.check(RUN_TRIAL, [scenario])


@cases(100)
@given(scenario=scenarios_with_effects())
def test_injected_faults(checker: Checker, scenario: TrialScenario) -> None:
    """Runner and reference do and record the same if calls raise, fail, take too long or are cancelled."""
    checker.check(RUN_TRIAL, [scenario])


@cases(60)
@given(scenario=settings_trials())
def test_settings(checker: Checker, scenario: TrialScenario) -> None:
    """Runner and reference agree on mounted sandboxes, overridden timeouts, models, and errors that end the program."""
    checker.check(RUN_TRIAL, [scenario])


def test_injected_fault_in_each_call(checker: Checker, profile: Profile) -> None:
    """Runner and reference do and record the same if a call of any one kind raises, fails, is late or is cancelled."""
    for scenario in profile.part_of(faulty_scenarios()):
        checker.check(RUN_TRIAL, [scenario])


def test_rare_tasks(checker: Checker) -> None:
    """Runner and reference agree on trials with unusual steps, values, rewards and mounted logs."""
    for scenario in rare_trials():
        checker.check(RUN_TRIAL, [scenario])


test_golden = golden_test(RUN_TRIAL)
