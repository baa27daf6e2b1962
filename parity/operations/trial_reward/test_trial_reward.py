"""`trial_reward`: from the steps of a multi-step trial to its rewards."""

import pytest
from hypothesis import given

from parity.judging.checking import Checker
from parity.judging.golden_vectors import STALE, check_vectors
from parity.operations.trial_reward import TRIAL_REWARD
from parity.operations.trial_reward.strategies import long_trials, multi_step_trials
from parity.operations.trial_reward.vectors import VECTORS
from parity.pytest_plugin.goldens import Goldens
from parity.pytest_plugin.profiles import cases
from parity.pytest_plugin.session import Session
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


def test_golden(session: Session, golden: Goldens) -> None:
    """Recorded answers, the wheel and the runner agree on every vector."""
    document = check_vectors(
        TRIAL_REWARD, VECTORS, session.checker, session.identity.series, recording=golden.recording
    )

    assert golden.holds(TRIAL_REWARD.name, document), STALE
