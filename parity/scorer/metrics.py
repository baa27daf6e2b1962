"""Aggregate the rewards of many trials into one metric: mean, max, min or sum.

If the trials have at most one reward key in all, the result is one number under the metric's name. If they have several
keys, the result is one number for each key. Rules: `aggregate/*`, `extreme/*`, `summation/*`.
"""

from collections.abc import Callable, Sequence

from parity.scorer.series import OFFICIAL, Series
from parity.scorer.summation import exact_sum
from parity.scorer.values import Number, Rewards


def _mean(values: Sequence[Number], series: Series) -> Number:
    # Rules: aggregate/no-trials, aggregate/value, aggregate/type, summation/beyond-double
    return exact_sum(values, series) / len(values)


def _max(values: Sequence[Number], series: Series) -> Number:
    # Rules: extreme/first-of-equals, extreme/nan, aggregate/no-trials
    return max(values)


def _min(values: Sequence[Number], series: Series) -> Number:
    # Rules: extreme/first-of-equals, extreme/nan, aggregate/no-trials
    return min(values)


METRICS: dict[str, Callable[[Sequence[Number], Series], Number]] = {
    "mean": _mean,
    "max": _max,
    "min": _min,
    "sum": exact_sum,
}
"""The functions that aggregate one column of numbers, by the names of the metrics."""


def aggregate(metric: str, rewards: Sequence[Rewards | None], *, series: Series = OFFICIAL) -> Rewards:
    """Return one metric over the rewards of all trials.

    Args:
        metric: a name in `METRICS`.
        rewards: one entry for each trial, in the order of the trials; None for a trial without a verifier result,
            which counts as 0.
        series: the versions of Python whose `sum()` is computed.

    Returns:
        `{metric: number}` when at most one reward key occurs, else `{reward key: number}` with the
        keys in code point order.

    Raises:
        ZeroDivisionError: the metric is the mean, and there are no trials.
        ValueError: the metric is max or min, and there are no trials; or the metric is unknown.
        OverflowError: a sum or mean that involves an int beyond the range of a double.
    """
    if metric not in METRICS:
        raise ValueError(f"unknown metric {metric!r}: choose one of {', '.join(METRICS)}")
    combine = METRICS[metric]
    # Rules: aggregate/key-order, aggregate/different-single-keys
    keys = sorted({key for reward in rewards if reward is not None for key in reward})
    # Rule: aggregate/several-keys
    if len(keys) > 1:
        return {key: combine([_under(key, reward) for reward in rewards], series) for key in keys}
    # Rule: aggregate/single-key
    return {metric: combine([_only(reward) for reward in rewards], series)}


def _under(key: str, reward: Rewards | None) -> Number:
    # Rules: aggregate/missing-key-is-zero, aggregate/null-is-zero
    return 0 if reward is None else reward.get(key, 0)


def _only(reward: Rewards | None) -> Number:
    # Rules: aggregate/empty-is-zero, aggregate/null-is-zero
    return next(iter(reward.values())) if reward else 0
