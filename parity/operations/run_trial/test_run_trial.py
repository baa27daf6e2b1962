"""`run_trial`: one trial from its first call to its result."""

import pytest
from hypothesis import given

from parity.judging.checking import Checker
from parity.operations.run_trial import RUN_TRIAL
from parity.operations.run_trial.rare_cases import seldom_trials
from parity.operations.run_trial.strategies import eventful_scenarios, settings_trials, trial_scenarios
from parity.operations.run_trial.vectors import VECTORS
from parity.operations.scenarios.event_strategies import faulty_scenarios
from parity.operations.scenarios.scenario import TrialScenario
from parity.pytest_plugin.profiles import Profile, cases
from parity.pytest_plugin.vectors import golden_test

pytestmark = pytest.mark.operation(RUN_TRIAL.name)


@cases(120)
@given(scenario=trial_scenarios)
def test_any_trial(checker: Checker, scenario: TrialScenario) -> None:
    """Calls with commands, users, variables, folders and timeouts; rewards, errors, steps and files."""
    checker.check(RUN_TRIAL, [scenario])


@cases(100)
@given(scenario=eventful_scenarios())
def test_injected_faults(checker: Checker, scenario: TrialScenario) -> None:
    """A call raises, fails, takes too long or is cancelled: what the trial does then, and what it records."""
    checker.check(RUN_TRIAL, [scenario])


@cases(60)
@given(scenario=settings_trials())
def test_settings(checker: Checker, scenario: TrialScenario) -> None:
    """Mounted sandboxes, timeouts that the settings override or cut, models, and what ends the program."""
    checker.check(RUN_TRIAL, [scenario])


def test_injected_fault_in_each_call(checker: Checker, profile: Profile) -> None:
    """Every kind of call raises, fails, takes long or is cancelled; whether that ends the trial depends on the call."""
    for scenario in profile.part_of(faulty_scenarios()):
        checker.check(RUN_TRIAL, [scenario])


def test_what_is_seldom_drawn(checker: Checker) -> None:
    """Steps with tests of their own alone, a verifier's own sandbox with a variable, odd values, and rare rewards."""
    for scenario in seldom_trials():
        checker.check(RUN_TRIAL, [scenario])


test_golden = golden_test(RUN_TRIAL, VECTORS)
