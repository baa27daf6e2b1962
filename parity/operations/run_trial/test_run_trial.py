"""`run_trial`: from the first call of one trial to its result."""

import pytest
from hypothesis import given

from parity.operations.run_trial import RUN_TRIAL
from parity.operations.run_trial.strategies import rare_trials, scenarios_with_effects, settings_trials, trial_scenarios
from parity.operations.scenarios.event_strategies import faulty_scenarios
from parity.operations.scenarios.scenario import TrialScenario
from parity.suite.checker import Checker
from parity.suite.plugin.profiles import Profile, cases
from parity.suite.plugin.vector_test import golden_test

pytestmark = pytest.mark.operation(RUN_TRIAL.name)


@cases(120)
@given(scenario=trial_scenarios)
def test_any_trial(checker: Checker, scenario: TrialScenario) -> None:
    """Any trial makes the same calls, and leaves the same result and files."""
    checker.check(RUN_TRIAL, [scenario])


@cases(100)
@given(scenario=scenarios_with_effects())
def test_injected_faults(checker: Checker, scenario: TrialScenario) -> None:
    """A trial does and records the same if a call raises, fails, takes too long or is cancelled."""
    checker.check(RUN_TRIAL, [scenario])


@cases(60)
@given(scenario=settings_trials())
def test_settings(checker: Checker, scenario: TrialScenario) -> None:
    """Trials agree with mounted sandboxes, overridden or limited timeouts, models, and errors that end the program."""
    checker.check(RUN_TRIAL, [scenario])


def test_injected_fault_in_each_call(checker: Checker, profile: Profile) -> None:
    """A trial does and records the same if each kind of call raises, fails, takes long or is cancelled."""
    for scenario in profile.part_of(faulty_scenarios()):
        checker.check(RUN_TRIAL, [scenario])


def test_rare_tasks(checker: Checker) -> None:
    """Runner and reference agree on unusual steps, values, rewards and mounted logs."""
    for scenario in rare_trials():
        checker.check(RUN_TRIAL, [scenario])


test_golden = golden_test(RUN_TRIAL)
