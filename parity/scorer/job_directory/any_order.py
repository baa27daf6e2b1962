"""Decide whether Harbor could have written a job's result.json if the job's trials were in a different order.

The order of the trials determines the order of names and groups, the spelling of a reward that several trials share
(`1` or `1.0`), and the last bits of sums. Every other value, its type, and the layout are the same in any order.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Sequence
from contextlib import suppress
from fractions import Fraction
from sys import float_info

from parity.scorer.job import JobTrial
from parity.scorer.job_directory.differences import bits, parse
from parity.scorer.job_directory.directory import JobDirectory
from parity.scorer.result_text import ObjectPairs, json_text, key_text, writable_key
from parity.scorer.values import Number

type _Path = tuple[str | int, ...]
type _IsPossible = Callable[[object], bool]


def is_possible(expected: str, job: JobDirectory) -> bool:
    """Return whether Harbor writes a job's existing result.json for some order of the job's trials.

    A sum is accepted if rounding of its additions can produce it. Usually that is a single number.

    Args:
        expected: the text that Harbor writes for one order.
        job: a finished job whose files did not lose any number.
    """
    actual = parse(job.text)
    form = _OrderFree(job)
    return form.of(parse(expected)) == form.of(actual) and json_text(actual) == job.text  # type: ignore[arg-type]


class _OrderFree:
    """Converts versions of a job's result.json to a form that does not depend on the order of the trials."""

    def __init__(self, job: JobDirectory) -> None:
        self._possible = _possible_sums(job)
        self._rewards: dict[_Path, Number] = {
            ("stats", "evals", file.trial.key, "reward_stats", writable_key(key), key_text(value)): value
            for file in job.trials
            for key, value in (file.trial.rewards or {}).items()
        }

    def of(self, tree: object, path: _Path = ()) -> Hashable:
        """Return the form of a document that `parse` returned, or of its part at a path."""
        if isinstance(tree, ObjectPairs):
            pairs = [(self._key(key, path), self.of(value, (*path, key))) for key, value in tree.pairs]
            return _unordered(pairs) if _has_order_of_trials(path) else ("object", *pairs)
        if isinstance(tree, list):
            items = [self.of(item, (*path, number)) for number, item in enumerate(tree)]
            return _unordered(items) if _has_order_of_trials(path) else ("array", *items)
        if path in self._possible and self._possible[path](tree):
            return "possible"
        return bits(tree)

    def _key(self, key: str, path: _Path) -> Hashable:
        """Return the same key for equal rewards; return any other key unchanged."""
        return self._rewards.get((*path, key), key)


def _unordered(items: Sequence[Hashable]) -> Hashable:
    return frozenset(Counter(items).items())


def _has_order_of_trials(path: _Path) -> bool:
    """Whether the order of the keys or items at a path depends on the order of the trials."""
    return path == ("stats", "evals") or (
        path[:2] == ("stats", "evals") and path[3:4] in (("reward_stats",), ("exception_stats",))
    )


def _possible_sums(job: JobDirectory) -> dict[_Path, _IsPossible]:
    """Map the path of each number that depends on several trials to a predicate for the numbers possible there.

    Estimates of pass@k are left out: they are multiples of 2**-53, so their sums are the same in any order.
    """
    costs = [usage.cost for file in job.trials for usage in file.trial.usage if usage.cost is not None]
    possible: dict[_Path, _IsPossible] = {("stats", "cost_usd"): _sum_of(costs, is_compensated=False)}
    groups: dict[str, list[JobTrial]] = defaultdict(list)
    for file in job.trials:
        groups[file.trial.key].append(file.trial)
    for group, trials in groups.items():
        keys = {key for trial in trials for key in trial.rewards or ()}
        for place, metric in enumerate(job.metrics.get(group.split("__")[-1], [])):
            for key in keys or {""}:
                column: list[Number] = [(trial.rewards or {}).get(key, 0) for trial in trials]
                name = key if len(keys) > 1 else metric
                possible["stats", "evals", group, "metrics", place, name] = _metric_of(metric, column)
    return possible


def _metric_of(metric: str, column: list[Number]) -> _IsPossible:
    if metric in ("max", "min"):
        extreme = max(column) if metric == "max" else min(column)
        equals = {bits(value) for value in column if value == extreme}
        if not all(map(_is_finite, column)):  # a comparison with nan is false, so any value may be the extreme
            equals = {bits(value if _is_finite(value) else None) for value in column}
        return lambda number: bits(number) in equals
    if metric not in ("mean", "sum"):
        raise NotImplementedError(f"the values that {metric} can have in any order")
    is_compensated = not any(isinstance(value, int) and value for value in column)
    return _sum_of(column, parts=len(column) if metric == "mean" else None, is_compensated=is_compensated)


def _is_finite(number: Number) -> bool:
    return isinstance(number, int) or math.isfinite(number)


def _sum_of(numbers: Sequence[Number], *, is_compensated: bool, parts: int | None = None) -> _IsPossible:
    """Return a predicate that holds for each value that the sum of the numbers, or their mean, can have in some order.

    Args:
        numbers: ints and floats. nan and infinities are written as null, and so is a sum with one of them.
        is_compensated: whether the rounding errors of the additions are added at the end, as `sum()` does for floats.
        parts: the divisor of the sum for a mean; None for a sum.
    """
    if not all(map(_is_finite, numbers)):
        return lambda number: number is None
    total = sum(map(Fraction, numbers), Fraction(0))
    if all(isinstance(number, int) for number in numbers) and numbers:
        exact = int(total) if parts is None else int(total) / parts
        return lambda number: bits(number) == bits(exact)
    error = _largest_error(numbers, is_compensated=is_compensated)
    with suppress(OverflowError):
        float(sum(abs(Fraction(number)) for number in numbers))  # if this is finite, the sums are finite in any order
        lowest, highest = float(total - error), float(total + error)
        if parts is not None:
            lowest, highest = lowest / parts, highest / parts
        ends = bits(lowest), bits(highest)
        return lambda number: bits(number) in ends or (isinstance(number, float) and lowest < number < highest)
    return lambda number: number is None or isinstance(number, float)  # in some order the sum is infinite or nan


def _largest_error(numbers: Sequence[Number], *, is_compensated: bool) -> Fraction:
    """Return an upper bound for the error of the sum in any order, before the sum's last rounding."""
    size = sum((abs(Fraction(number)) for number in numbers), Fraction(0))
    count, digits = len(numbers), float_info.mant_dig
    unit = Fraction(1, math.lcm(*(Fraction(number).denominator for number in numbers)))
    if size < unit * 2**digits:
        return Fraction(0)  # no addition is rounded
    if not is_compensated:
        return size * Fraction(count, 2 ** (digits - 1))
    if count * size < unit * 4**digits:
        return Fraction(0)  # rounding errors are multiples of the unit, and adding them is exact
    return size * Fraction(count**2, 4 ** (digits - 1))
