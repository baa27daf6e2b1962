"""Functions that build equivalent cases of `aggregate`, by which attribution finds the rule that a runner breaks."""

import math
from collections.abc import Callable, Iterable
from dataclasses import replace

from parity.operations.aggregate.case import AggregateCase
from parity.scorer.values import Rewards


def _rewards(change: Callable[[Rewards | None, list[str]], Rewards | None]) -> Callable[[AggregateCase], AggregateCase]:
    def changed(case: AggregateCase) -> AggregateCase:
        keys = sorted({key for reward in case.rewards if reward for key in reward}) or ["reward"]
        return replace(case, rewards=tuple(change(reward, keys) for reward in case.rewards))

    return changed


def _zeros(keys: Iterable[str]) -> Rewards:
    return dict.fromkeys(keys, 0)


def _positive_zero(reward: Rewards | None) -> Rewards | None:
    return reward and {key: 0.0 if type(number) is float and number == 0 else number for key, number in reward.items()}


def without_negative_zeros(case: AggregateCase) -> AggregateCase:
    # A sum starts with the int 0, so 0.0 and -0.0 have the same effect; max and min keep the sign of a zero.
    return case if case.metric in ("max", "min") else replace(case, rewards=tuple(map(_positive_zero, case.rewards)))


def added_up(case: AggregateCase) -> AggregateCase:
    """Return a case in which each column's first number is the sum of the column, and all further numbers are 0.0.

    Only columns of finite floats change, and they may also contain the int 0. With max or min, no column changes.
    """
    if case.metric in ("max", "min"):
        return case
    rewards = [reward and dict(reward) for reward in case.rewards]
    for key in {key for reward in rewards for key in reward or ()}:
        holders = [reward for reward in rewards if reward and key in reward]
        column = [reward[key] for reward in holders]
        floats = [number for number in column if isinstance(number, float)]
        ints = [number for number in column if isinstance(number, int)]
        if floats and not any(ints) and all(map(math.isfinite, floats)):
            for reward in holders:
                reward[key] = 0.0
            holders[0][key] = sum(floats)
    return replace(case, rewards=tuple(rewards))


zeros_for_null = _rewards(lambda reward, keys: _zeros(keys) if reward is None else reward)
zeros_for_empty = _rewards(lambda reward, keys: _zeros(keys) if reward == {} else reward)
zeros_for_missing = _rewards(lambda reward, keys: reward and {**_zeros(keys), **reward})
