"""`aggregate`: the rewards of many trials to one metric."""

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from parity.operations.operation import Operation
from parity.scorer.metrics import METRICS
from parity.scorer.series import OFFICIAL
from parity.scorer.summation import exact_sum
from parity.scorer.values import Number, Rewards
from parity.wire import Json, WireError, decode, encode


@dataclass(frozen=True)
class AggregateCase:
    """A metric and the rewards that it is computed over, in trial order."""

    metric: str
    rewards: tuple[Rewards | None, ...]


@contextmanager
def _arguments(case: AggregateCase) -> Iterator[tuple[str, list[Rewards | None]]]:
    yield case.metric, [None if reward is None else dict(reward) for reward in case.rewards]


def _encode(case: AggregateCase) -> Json:
    return {"metric": case.metric, "rewards": encode(case.rewards)}


def _decode(value: Any) -> AggregateCase:
    match value:
        case {"metric": str(metric), "rewards": [*_]} if metric not in METRICS:
            raise WireError(f"there is no metric {metric!r:.60}; there are {', '.join(METRICS)}")
        case {"metric": str(metric), "rewards": [*rewards]}:
            return AggregateCase(metric, tuple(as_rewards(decode(reward)) for reward in rewards))
    raise WireError("an aggregate case takes a metric and a list of rewards")


def as_rewards(value: object) -> Rewards | None:
    """A decoded value as rewards.

    Raises:
        WireError: neither null nor an object of numbers.
    """
    if value is None:
        return None
    if isinstance(value, dict) and all(type(number) in (int, float) for number in value.values()):
        return value
    raise WireError("rewards take an object of numbers, or null")


def _flags(case: AggregateCase) -> frozenset[str]:
    return _shape_flags(case.rewards) | _number_flags(case)


def _shape_flags(rewards: Sequence[Rewards | None]) -> frozenset[str]:
    flags = set()
    keys = {key for reward in rewards if reward for key in reward}
    if not rewards:
        flags.add("no-rewards")
    if len(rewards) >= 100:
        flags.add("many-trials")
    if len(keys) > 16:
        flags.add("many-keys")
    if any(len(key) > 64 for key in keys):
        flags.add("long-key")
    if None in rewards:
        flags.add("null-reward")
    if {} in rewards:
        flags.add("empty-rewards")
    if rewards and not keys:
        flags.add("no-keys")
    if len(keys) > 1:
        flags.add("several-keys")
        if any(reward is not None and len(reward) < len(keys) for reward in rewards):
            flags.add("missing-key")
        if all(reward is None or len(reward) <= 1 for reward in rewards):
            flags.add("different-single-keys")
        ordered = sorted(keys)
        if ordered != list(dict.fromkeys(key for reward in rewards if reward for key in reward)):
            flags.add("unsorted-keys")
        if ordered != sorted(ordered, key=lambda key: key.encode("utf-16-be", "surrogatepass")):
            flags.add("utf16-order")
        if ordered != sorted(ordered, key=str.casefold):
            flags.add("case-order")
    return frozenset(flags)


def _columns(rewards: Sequence[Rewards | None]) -> list[list[Number]]:
    """The lists of numbers that a metric aggregates: one a key, or a single one."""
    keys = {key for reward in rewards if reward for key in reward}
    if len(keys) > 1:
        return [[reward.get(key, 0) if reward else 0 for reward in rewards] for key in sorted(keys)]
    return [[next(iter(reward.values())) if reward else 0 for reward in rewards]]


def _number_flags(case: AggregateCase) -> frozenset[str]:
    flags: set[str] = set()
    for column in _columns(case.rewards):
        flags |= _order_flags(column) if case.metric in ("max", "min") else sum_flags(column)
    return frozenset(flags)


def _order_flags(column: list[Number]) -> set[str]:
    flags = set()
    if any(value != value for value in column):
        flags.add("nan-value")
    if any(math.isinf(value) for value in column if isinstance(value, float)):
        flags.add("infinite-value")
    for extreme in (max(column, default=None), min(column, default=None)):
        equals = [value for value in column if value == extreme]
        if len({type(value) for value in equals}) > 1:
            flags.add("tie-across-types")
        if extreme == 0 and len({math.copysign(1, value) for value in equals if isinstance(value, float)}) > 1:
            flags.add("tie-of-zeros")
    return flags


def sum_flags(column: list[Number]) -> set[str]:
    """Why the numbers of one column are hard to add."""
    flags = set()
    floats = [value for value in column if isinstance(value, float)]
    ints = [value for value in column if isinstance(value, int)]
    finite = [value for value in floats if math.isfinite(value)]
    if any(value != value for value in floats):
        flags.add("nan-value")
    if any(math.isinf(value) for value in floats):
        flags.add("infinite-value")
    if len(finite) == len(floats) and floats and _plain_sum(floats) in (math.inf, -math.inf):
        flags.add("sum-overflows")
    if any(value and abs(value) < 2.2250738585072014e-308 for value in finite):
        flags.add("subnormal-value")
    if any(value == 0 and math.copysign(1, value) < 0 for value in floats):
        flags.add("negative-zero")
    if floats and any(ints):
        flags.add("mixed-int-float")
    if any(abs(value) > 2**53 for value in ints):
        flags.add("int-beyond-2**53")
    if floats and any(not -(2**63) <= value < 2**63 for value in ints):
        flags.add("int-beyond-long")
    if any(abs(value) >= 2**1024 - 2**970 for value in ints):
        flags.add("int-beyond-double")
    if finite and len(finite) == len(floats) and not any(ints):
        compensated = exact_sum(finite, OFFICIAL)
        if _plain_sum(finite) != compensated:
            flags.add("inexact-sum")
        if _rounded_sum(finite) != compensated:
            flags.add("inexact-compensation")
        if any(value > 0 for value in finite) and any(value < 0 for value in finite):
            flags.add("cancelling-sum")
    if len(column) > 1 and not floats:
        flags.add("ints-only")
    return flags


def _plain_sum(values: list[float]) -> float:
    total = 0.0
    for value in values:
        total += value
    return total


def _rounded_sum(values: list[float]) -> float | None:
    try:
        return math.fsum(values)
    except OverflowError:
        return None


def _describe(case: AggregateCase) -> str:
    return f"{case.metric} of {list(case.rewards)!r}"


AGGREGATE = Operation(
    "aggregate",
    _arguments,
    _describe,
    _flags,
    _encode,
    _decode,
    case_of=lambda metric, rewards: AggregateCase(metric, tuple(rewards)),
)
