"""Tests that `trial_reward` computes the rewards of multi-step trials like the reference."""

import pytest
from hypothesis import given

from parity.operations.trial_reward import TRIAL_REWARD
from parity.operations.trial_reward.strategies import long_trials, multi_step_trials
from parity.plugin.profiles import cases
from parity.plugin.vector_test import golden_test
from parity.scorer.trial_reward import MultiStepTrial
from parity.suite.checker import Checker

pytestmark = pytest.mark.operation(TRIAL_REWARD.name)


@cases(250)
@given(trial=multi_step_trials)
def test_steps(checker: Checker, trial: MultiStepTrial) -> None:
    """Runner and reference run the same steps, write the same records for them, and give the trial the same rewards."""
    checker.check(TRIAL_REWARD, [trial])


@cases(12)
@given(trials=long_trials)
def test_sizes(checker: Checker, trials: tuple[MultiStepTrial, ...]) -> None:
    """Runner and reference give the same rewards to trials with dozens of steps or dozens of reward keys."""
    checker.check(TRIAL_REWARD, trials)


test_golden = golden_test(TRIAL_REWARD)
