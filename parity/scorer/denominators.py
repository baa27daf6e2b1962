"""Explains metrics: the number of trials that a metric covers, and the effect of trials without a reward."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from decimal import Decimal

from parity.scorer.job import JobTrial
from parity.scorer.metrics import aggregate
from parity.scorer.values import Number


def explain_metric(
    metric: str,
    computed: Mapping[str, Number | None],
    trials: Sequence[JobTrial],
    left_out: Collection[str] = (),
) -> Iterator[str]:
    """Yield a line for each number in a metric, such as `mean 0.5 = 2 / 4 trials; 1 without a reward counts as 0`.

    Args:
        metric: a name in `METRICS`.
        computed: the values of the metric for a group, from a result.json.
        trials: the trials of the group.
        left_out: the names of trials that the metric leaves out.
    """
    counted = [trial for trial in trials if trial.name not in left_out]
    excluded = [trial for trial in trials if trial.name in left_out]
    keys = {key for trial in counted for key in trial.rewards or ()}
    for name, value in computed.items():
        key = next(iter(keys), "") if len(keys) <= 1 else name
        column = [{key: trial.rewards[key]} for trial in counted if trial.rewards and key in trial.rewards]
        without_reward = [trial for trial in counted if key not in (trial.rewards or {})]
        total = f"= {format_number(sum(reward[key] for reward in column))} /" if metric == "mean" else "of"
        of_all = f"{len(counted):,} trial{'' if len(counted) == 1 else 's'}"
        line = f"{metric}{'' if name == metric else f' of {name}'} {format_number(value)} {total} {of_all}"
        if without_reward:
            reward = "a reward" if len(keys) <= 1 else "this reward"
            line += f"; {len(without_reward):,} without {reward} count as 0 ({count_errors(without_reward)})"
        with suppress(OverflowError):
            if without_reward and column:
                over = aggregate(metric, column)[metric]
                line += f"; over the {len(column):,} with one it is {format_number(over)}"
        yield line + (f"; {len(excluded):,} left out ({count_errors(excluded)})" if excluded else "")


def format_number(number: Number | None) -> str:
    """Return a number as a string with all its digits; return `null` for None, which stands for nan or infinity."""
    if number is None:
        return "null"
    # `str` refuses ints of more than 4300 digits
    return str(Decimal(number)) if isinstance(number, int) else repr(number)


def count_errors(trials: Iterable[JobTrial]) -> str:
    """Return the number of trials with each error, such as `RewardFileNotFoundError 31, no trial error 2`."""
    errors = Counter(trial.exception or "no trial error" for trial in trials)
    return ", ".join(
        f"{error} {count:,}" for error, count in sorted(errors.items(), key=lambda each: (-each[1], each[0]))
    )
