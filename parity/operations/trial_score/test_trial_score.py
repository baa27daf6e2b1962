"""Tests that `trial_score` reads the numbers that enter a job's mean from a trial's result.json like the reference."""

import pytest
from hypothesis import given

from parity.operations.trial_score import TRIAL_SCORE, TrialText
from parity.operations.trial_score.strategies import odd_rewards, trials, wrong_documents
from parity.plugin.profiles import cases
from parity.plugin.vector_test import golden_test
from parity.suite.checker import Checker

pytestmark = pytest.mark.operation(TRIAL_SCORE.name)


@cases(150)
@given(case=trials)
def test_results(checker: Checker, case: TrialText) -> None:
    """A trial contributes the same numbers as in a Harbor job, whatever its rewards, exception and steps are."""
    checker.check(TRIAL_SCORE, [case])


@cases(150)
@given(case=odd_rewards)
def test_odd_rewards(checker: Checker, case: TrialText) -> None:
    """Runner and reference convert unusual rewards to the same numbers, or refuse them with the same error."""
    checker.check(TRIAL_SCORE, [case])


@cases(60)
@given(case=wrong_documents)
def test_wrong_documents(checker: Checker, case: TrialText) -> None:
    """Text that is not the result of a trial is refused."""
    checker.check(TRIAL_SCORE, [case])


test_golden = golden_test(TRIAL_SCORE)
