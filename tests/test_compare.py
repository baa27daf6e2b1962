"""Tests that answers are compared by type and by bits."""

from copy import deepcopy
from math import inf, nan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parity.operations.answers import Crash, Fault, NotClaimed, Value
from parity.operations.compare import below_the_top, compare, compare_answers, everywhere, ulp_distance
from parity.operations.trial_reward import TRIAL_REWARD
from parity.operations.wire import float_from_hex
from parity.scorer import MultiStepTrial, Step

_PAYLOAD = float_from_hex("7ff8deadbeef0001")


class _Text(str):
    """A subclass of str, which could print and compare differently."""


def test_nans_are_equal() -> None:
    """All nans are equal, whatever their payload and sign."""
    assert compare(nan, _PAYLOAD) is None
    assert compare(-nan, nan) is None


@pytest.mark.parametrize(
    ("expected", "actual", "aspect"),
    [
        (1, 1.0, "type"),
        (1.0, 1, "type"),
        (1, True, "type"),
        (True, 1, "type"),
        (1.0, True, "type"),
        (None, {}, "type"),
        ("a", _Text("a"), "type"),
        ({}, None, "type"),
        ({}, [], "type"),
        ([], (), "type"),
        ("1", 1, "type"),
        (0.0, -0.0, "bits"),
        (0.1, 0.10000000000000002, "bits"),
        (nan, 0.0, "bits"),
        (inf, -inf, "bits"),
        (1, 2, "value"),
        ("a", "b", "text"),
        ([1], [1, 1], "length"),
        ({"a": 1}, {"b": 1}, "keys"),
        ({"a": 1}, {"a": 1, "b": 1}, "keys"),
        ({1: 0.5}, {"1": 0.5}, "keys"),
        ({1: 0.5}, {True: 0.5}, "keys"),
        ({1: 0.5}, {1.0: 0.5}, "keys"),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, "order"),
    ],
    ids=repr,
)
def test_difference_has_its_aspect(expected: object, actual: object, aspect: str) -> None:
    """A difference in type, bits, keys or order is reported as such."""
    difference = compare(expected, actual)

    assert difference is not None
    assert difference.aspect == aspect


def test_first_difference_has_its_path() -> None:
    """The path leads to the first difference, searched depth first in the order of the expected value."""
    expected = {"a": [1, {"b": 0.1}], "c": 2}

    difference = compare(expected, {"a": [1, {"b": 0.2}], "c": 3})

    assert difference is not None
    assert difference.path == ("a", 1, "b")
    assert difference.where() == "['a'][1]['b']"


def test_order_of_the_top_keys_can_be_ignored() -> None:
    """The order of the keys at the top of an answer can be ignored."""
    expected, actual = {"x": {2: 0.5, 4: 1.0}, "y": {}}, {"y": {}, "x": {2: 0.5, 4: 1.0}}

    assert compare(expected, actual, ordered=below_the_top) is None
    assert compare({"x": {2: 0.5, 4: 1.0}}, {"x": {4: 1.0, 2: 0.5}}, ordered=below_the_top) is not None


@pytest.mark.parametrize(
    ("left", "right", "ulps"),
    [
        (1.0, 1.0000000000000002, 1),
        (0.0, -0.0, 1),
        (0.0, 5e-324, 1),
        (-5e-324, 5e-324, 3),
        (1.7976931348623157e308, -1.7976931348623157e308, 18437736874454810623),
        (inf, 1.0, None),
        (nan, 1.0, None),
    ],
)
def test_distance_counts_doubles(left: float, right: float, ulps: int | None) -> None:
    """The distance is a number of doubles; -0.0 and 0.0 are neighbours; infinities and nan have no distance."""
    assert ulp_distance(left, right) == ulps
    assert ulp_distance(right, left) == ulps


_LEAVES = st.sampled_from([None, True, False, 0, 1, 2**70, 0.0, -0.0, 1.0, nan, _PAYLOAD, inf, "", "a", "1", "\ud800"])
_VALUES = st.recursive(
    _LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["a", "b", 1, "1"]), inner, max_size=3),
    max_leaves=6,
)


@given(_VALUES, st.data())
def test_quick_check_agrees_with_the_comparison(value: object, data: st.DataObject) -> None:
    """The quick check for identical answers agrees with the full comparison, with and without the order of keys."""
    other = data.draw(st.one_of(_VALUES, st.just(deepcopy(value)), st.just([value, value])))
    for ordered in (everywhere, below_the_top):
        difference = compare_answers(Value(value), Value(other), ordered=ordered)

        assert (difference is None) == (compare(value, other, ordered=ordered) is None)
    assert compare_answers(Value(_Text("a")), Value("a")) is not None


def test_faults_are_compared_by_kind() -> None:
    """Errors are compared by kind, not by message."""
    fault = Fault("RewardFileEmptyError", "at /a")

    assert compare_answers(fault, Fault("RewardFileEmptyError", "somewhere else")) is None
    assert compare_answers(fault, Fault("ValueError", "at /a")) is not None
    assert compare_answers(fault, Value(None)) is not None
    assert compare_answers(Value(None), fault) is not None


def test_crash_is_a_difference_but_an_unclaimed_case_is_not() -> None:
    """A crash is a difference, but a case that the runner does not claim is none."""
    crashed = compare_answers(Value(1), Crash("hung"))

    assert crashed is not None
    assert crashed.aspect == "crash"
    assert compare_answers(Value(1), NotClaimed()) is None


def test_order_of_the_keys_of_a_mean_is_ignored() -> None:
    """The order of reward keys is ignored only for a mean, and not elsewhere in a trial's record."""
    mean, final = (TRIAL_REWARD.ordered(MultiStepTrial((Step(),), strategy)) for strategy in ("mean", "final"))

    assert not mean(("rewards",))
    assert final(("rewards",))
    assert mean(("steps", 0, "rewards"))
