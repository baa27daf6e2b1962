"""Flags of `aggregate`: why a case is hard."""

import math
from collections.abc import Sequence

from parity.operations.aggregate.case import AggregateCase
from parity.operations.rule import carried
from parity.operations.sum_flags import sum_flags
from parity.scorer.values import Number, Rewards

FLAGS = {
    "no-rewards": "no trials at all",
    "null-reward": "a trial without rewards",
    "empty-rewards": "a trial whose rewards are `{}`",
    "no-keys": "no trial has any reward key",
    "several-keys": "more than one reward key",
    "missing-key": "a trial lacks a key that another has",
    "different-single-keys": "every trial has at most one key, but not all have the same",
    "many-trials": "a hundred trials or more",
    "many-keys": "more than 16 reward keys",
    "long-key": "a reward key of more than 64 characters",
    "unsorted-keys": "keys that do not come in code point order",
    "utf16-order": "keys that sort differently by UTF-16 code units",
    "case-order": "keys that sort differently when case is ignored",
    "nan-value": "a nan among the numbers",
    "infinite-value": "an infinity among the numbers",
    "tie-across-types": "the largest or smallest number occurs as an int and as an equal float",
    "tie-of-zeros": "the largest or smallest number is zero, with either sign",
    "sum-overflows": "adding the floats in order goes beyond the largest double",
    "subnormal-value": "a number is smaller than the smallest normal double",
    "negative-zero": "a number is -0.0",
    "mixed-int-float": "ints and floats in one sum",
    "int-beyond-2**53": "an int that a double cannot hold exactly",
    "int-beyond-long": "an int that does not fit 64 bits, in one sum with floats",
    "int-beyond-double": "an int larger than the largest double",
    "inexact-sum": "adding the floats one by one gives other bits than `sum`",
    "inexact-compensation": "adding the floats exactly gives other bits than `sum`",
    "cancelling-sum": "floats of both signs",
    "ints-only": "several numbers, none of them a float",
}


def flags_of(case: AggregateCase) -> frozenset[str]:
    """Return the flags that a case carries."""
    number_flags = _order_flags if case.metric in ("max", "min") else sum_flags
    return frozenset(_shape_flags(case.rewards).union(*map(number_flags, _columns(case.rewards))))


def _shape_flags(rewards: Sequence[Rewards | None]) -> set[str]:
    keys = list(dict.fromkeys(key for reward in rewards if reward for key in reward))
    ordered = sorted(keys)
    several = len(keys) > 1
    return carried(
        {
            "no-rewards": not rewards,
            "many-trials": len(rewards) >= 100,
            "many-keys": len(keys) > 16,
            "long-key": any(len(key) > 64 for key in keys),
            "null-reward": None in rewards,
            "empty-rewards": {} in rewards,
            "no-keys": rewards and not keys,
            "several-keys": several,
            "missing-key": several and any(reward is not None and len(reward) < len(keys) for reward in rewards),
            "different-single-keys": several and all(reward is None or len(reward) <= 1 for reward in rewards),
            "unsorted-keys": ordered != keys,
            "utf16-order": ordered != sorted(ordered, key=lambda key: key.encode("utf-16-be", "surrogatepass")),
            "case-order": ordered != sorted(ordered, key=str.casefold),
        }
    )


def _columns(rewards: Sequence[Rewards | None]) -> list[list[Number]]:
    """Return the lists of numbers that a metric aggregates: one for each key, or a single one."""
    keys = {key for reward in rewards if reward for key in reward}
    if len(keys) > 1:
        return [[reward.get(key, 0) if reward else 0 for reward in rewards] for key in sorted(keys)]
    return [[next(iter(reward.values())) if reward else 0 for reward in rewards]]


def _order_flags(column: list[Number]) -> set[str]:
    flags = carried(
        {
            "nan-value": any(value != value for value in column),
            "infinite-value": any(math.isinf(value) for value in column if isinstance(value, float)),
        }
    )
    for extreme in (max(column, default=None), min(column, default=None)):
        equals = [value for value in column if value == extreme]
        signs = {math.copysign(1, value) for value in equals if isinstance(value, float)}
        flags |= carried(
            {"tie-across-types": len(set(map(type, equals))) > 1, "tie-of-zeros": extreme == 0 and len(signs) > 1}
        )
    return flags
