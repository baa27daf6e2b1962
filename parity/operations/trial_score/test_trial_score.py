"""`trial_score`: from a trial's result.json to the numbers that count in a job's mean."""

import pytest
from hypothesis import given

from parity.operations.trial_score import TRIAL_SCORE, TrialText
from parity.operations.trial_score.strategies import odd_rewards, trials, wrong_documents
from parity.suite.checker import Checker
from parity.suite.plugin.profiles import cases
from parity.suite.plugin.vector_test import golden_test

pytestmark = pytest.mark.operation(TRIAL_SCORE.name)


@cases(150)
@given(case=trials)
def test_results(checker: Checker, case: TrialText) -> None:
    """A trial counts as in a job of Harbor, whatever its rewards, its exception and its steps."""
    checker.check(TRIAL_SCORE, [case])


@cases(150)
@given(case=odd_rewards)
def test_odd_rewards(checker: Checker, case: TrialText) -> None:
    """Rewards count as the same numbers, or are refused in the same way."""
    checker.check(TRIAL_SCORE, [case])


@cases(60)
@given(case=wrong_documents)
def test_wrong_documents(checker: Checker, case: TrialText) -> None:
    """A text that is no result of a trial is refused."""
    checker.check(TRIAL_SCORE, [case])


test_golden = golden_test(TRIAL_SCORE)
