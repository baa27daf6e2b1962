"""`trial_reward`: from the steps of a multi-step trial to its rewards."""

import pytest
from hypothesis import given

from parity import strategies as draw
from parity.checking import Checker
from parity.operations import TRIAL_REWARD
from parity.profiles import cases
from parity.scorer import MultiStepTrial

pytestmark = pytest.mark.operation(TRIAL_REWARD.name)


@cases(500)
@given(trial=draw.multi_step_trials)
def test_steps(checker: Checker, trial: MultiStepTrial) -> None:
    """Which steps run, what each one records, and what the trial gets."""
    checker.check(TRIAL_REWARD, [trial])


@cases(12)
@given(trials=draw.long_trials)
def test_sizes(checker: Checker, trials: tuple[MultiStepTrial, ...]) -> None:
    """Dozens of steps, and dozens of reward keys."""
    checker.check(TRIAL_REWARD, trials)
