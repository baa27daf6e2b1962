"""`trial_reward`: from the steps of a multi-step trial to its rewards."""

import pytest
from hypothesis import given

from parity.judging.checking import Checker
from parity.operations.trial_reward import TRIAL_REWARD
from parity.operations.trial_reward.strategies import long_trials, multi_step_trials
from parity.operations.trial_reward.vectors import VECTORS
from parity.pytest_plugin.profiles import cases
from parity.pytest_plugin.vectors import golden_test
from parity.scorer import MultiStepTrial

pytestmark = pytest.mark.operation(TRIAL_REWARD.name)


@cases(250)
@given(trial=multi_step_trials)
def test_steps(checker: Checker, trial: MultiStepTrial) -> None:
    """Which steps run, what each one records, and what the trial gets."""
    checker.check(TRIAL_REWARD, [trial])


@cases(12)
@given(trials=long_trials)
def test_sizes(checker: Checker, trials: tuple[MultiStepTrial, ...]) -> None:
    """Dozens of steps, and dozens of reward keys."""
    checker.check(TRIAL_REWARD, trials)


test_golden = golden_test(TRIAL_REWARD, VECTORS)
