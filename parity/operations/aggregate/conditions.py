"""Conditions on cases of `aggregate`, which its rules use."""

from collections.abc import Callable

from parity.operations import columns
from parity.operations.aggregate.case import AggregateCase
from parity.operations.columns import Column
from parity.operations.rule import When

_EXTREMES = ("max", "min")


def _keys(case: AggregateCase) -> set[str]:
    return {key for rewards in case.rewards for key in rewards or ()}


def has_no_trials(case: AggregateCase) -> bool:
    return not case.rewards


def has_several_keys(case: AggregateCase) -> bool:
    return len(_keys(case)) > 1


def has_different_single_keys(case: AggregateCase) -> bool:
    """Return whether every trial has at most one key, but the keys of the trials differ."""
    return has_several_keys(case) and all(len(rewards or {}) <= 1 for rewards in case.rewards)


def has_empty_rewards(case: AggregateCase) -> bool:
    return {} in case.rewards


def has_null(case: AggregateCase) -> bool:
    return None in case.rewards


def has_missing_key(case: AggregateCase) -> bool:
    """Return whether a trial with rewards lacks a key that another trial has."""
    keys = _keys(case)
    return len(keys) > 1 and any(rewards is not None and len(rewards) < len(keys) for rewards in case.rewards)


def _columns(case: AggregateCase) -> list[Column]:
    """Return the columns of numbers that the metric aggregates: one for each key, or a single column."""
    keys = sorted(_keys(case))
    if len(keys) > 1:
        return [[(rewards or {}).get(key, 0) for rewards in case.rewards] for key in keys]
    return [[next(iter(rewards.values())) if rewards else 0 for rewards in case.rewards]]


def adds(holds: Callable[[Column], bool]) -> When:
    """Build a condition that holds if the metric is a mean or a sum, and the predicate holds for a column."""
    return lambda case: case.metric not in _EXTREMES and any(map(holds, _columns(case)))


def aggregates(holds: Callable[[Column], bool]) -> When:
    """Build a condition that holds if the predicate holds for a column, regardless of the metric."""
    return lambda case: any(map(holds, _columns(case)))


def has_tie(case: AggregateCase) -> bool:
    """Return whether the metric is max or min, and the result occurs as int and as float, or as 0.0 and as -0.0."""
    return case.metric in _EXTREMES and any(map(_is_tied, _columns(case)))


def _is_tied(column: Column) -> bool:
    extremes = (max(column, default=None), min(column, default=None))
    return any(len({repr(number) for number in column if number == extreme}) > 1 for extreme in extremes)


def has_infinity(case: AggregateCase) -> bool:
    """Return whether a column contains an infinity, or the metric adds a column whose sum is infinite."""
    return any(map(columns.has_infinity, _columns(case))) or adds(columns.overflows)(case)
