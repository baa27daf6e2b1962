"""Tests that `aggregate` computes mean, max, min and sum over the rewards of many trials like the reference."""

import pytest
from hypothesis import given

from parity.formats import METRIC_NAMES
from parity.operations.aggregate import AGGREGATE, AggregateCase
from parity.operations.aggregate.strategies import (
    RewardList,
    key_lists,
    large_reward_lists,
    number_columns,
    orders,
    reward_lists,
)
from parity.plugin.profiles import cases
from parity.plugin.vector_test import golden_test
from parity.suite.checker import Checker

pytestmark = pytest.mark.operation(AGGREGATE.name)


def _check(checker: Checker, rewards: RewardList) -> None:
    checker.check(AGGREGATE, [AggregateCase(metric, order) for order in orders(rewards) for metric in METRIC_NAMES])


@cases(1200)
@given(rewards=number_columns)
def test_numbers(checker: Checker, rewards: RewardList) -> None:
    """Runner and reference agree on the metrics for numbers under one key, in several orders."""
    _check(checker, rewards)


@cases(700)
@given(rewards=reward_lists)
def test_trials(checker: Checker, rewards: RewardList) -> None:
    """Runner and reference agree on the metrics for trials with several keys, with missing keys and without rewards."""
    _check(checker, rewards)


@cases(40)
@given(lists=large_reward_lists)
def test_sizes(checker: Checker, lists: tuple[RewardList, ...]) -> None:
    """Runner and reference agree on the metrics for thousands of trials, dozens of keys, and very long keys."""
    checker.check(AGGREGATE, [AggregateCase(metric, rewards) for rewards in lists for metric in METRIC_NAMES])


@cases(300)
@given(rewards=key_lists)
def test_keys(checker: Checker, rewards: RewardList) -> None:
    """Runner and reference return the same keys in the same order."""
    _check(checker, rewards)


test_golden = golden_test(AGGREGATE)
