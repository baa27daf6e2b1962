"""The cases of `aggregate` that its rules are about."""

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
    """Return whether every trial has at most one key, but not all have the same."""
    return has_several_keys(case) and all(len(rewards or {}) <= 1 for rewards in case.rewards)


def has_empty_rewards(case: AggregateCase) -> bool:
    return {} in case.rewards


def has_null(case: AggregateCase) -> bool:
    return None in case.rewards


def has_missing_key(case: AggregateCase) -> bool:
    """Return whether a trial with rewards lacks a key that another has."""
    keys = _keys(case)
    return len(keys) > 1 and any(rewards is not None and len(rewards) < len(keys) for rewards in case.rewards)


def _columns(case: AggregateCase) -> list[Column]:
    """Return the lists of numbers that the metric aggregates: one for each key, or a single one."""
    keys = sorted(_keys(case))
    if len(keys) > 1:
        return [[(rewards or {}).get(key, 0) for rewards in case.rewards] for key in keys]
    return [[next(iter(rewards.values())) if rewards else 0 for rewards in case.rewards]]


def adds(holds: Callable[[Column], bool]) -> When:
    """Return a condition: the metric is a mean or a sum, and the predicate holds for a column of numbers."""
    return lambda case: case.metric not in _EXTREMES and any(map(holds, _columns(case)))


def aggregates(holds: Callable[[Column], bool]) -> When:
    """Build a condition from a predicate of a column of numbers, whatever the metric is."""
    return lambda case: any(map(holds, _columns(case)))


def has_tie(case: AggregateCase) -> bool:
    """Return whether the largest or smallest number occurs as an int and as a float, or as a zero of either sign."""
    return case.metric in _EXTREMES and any(map(_is_tied, _columns(case)))


def _is_tied(column: Column) -> bool:
    extremes = (max(column, default=None), min(column, default=None))
    return any(len({repr(number) for number in column if number == extreme}) > 1 for extreme in extremes)


def has_infinity(case: AggregateCase) -> bool:
    """Return whether a column has an infinity, or is added up to one."""
    return any(map(columns.has_infinity, _columns(case))) or adds(columns.overflows)(case)
