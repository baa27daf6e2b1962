"""Tests that `pass_at_k` computes pass@k for each group of a job's trials like the reference."""

import pytest
from hypothesis import given

from parity.operations.pass_at_k import PASS_AT_K, PassAtKCase
from parity.operations.pass_at_k.strategies import large_trial_lists, trial_lists
from parity.plugin.profiles import cases
from parity.plugin.vector_test import golden_test
from parity.scorer.pass_at_k import Trial
from parity.suite.checker import Checker

pytestmark = pytest.mark.operation(PASS_AT_K.name)


@cases(300)
@given(trials=trial_lists)
def test_attempts(checker: Checker, trials: tuple[Trial, ...]) -> None:
    """Runner and reference agree on groups, eligible values of k and estimates, in drawn and in reverse order."""
    drawn = PassAtKCase(trials)
    checker.check(PASS_AT_K, [drawn, PassAtKCase(trials[::-1])])


@cases(20)
@given(jobs=large_trial_lists)
def test_sizes(checker: Checker, jobs: tuple[tuple[Trial, ...], ...]) -> None:
    """Runner and reference agree on estimates for hundreds of attempts, dozens of tasks and dozens of groups."""
    checker.check(PASS_AT_K, [PassAtKCase(trials) for trials in jobs])


test_golden = golden_test(PASS_AT_K)
