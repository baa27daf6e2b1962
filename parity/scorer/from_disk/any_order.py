"""Compare the values of two results of a job, regardless of the order in which the job took its trials.

The order decides the order of names and groups, how a reward is spelled that several trials got (`1` or `1.0`), and the
last bits of sums. Everything else is the same in any order.
"""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from fractions import Fraction
from sys import float_info

from parity.scorer.from_disk.trial_file import TrialFile
from parity.scorer.result_text import Members
from parity.scorer.values import Number

type _Fact = tuple[tuple[str, ...], object]
"""A path in the document and the value there."""


def same_values(wanted: object, found: object, trials: Sequence[TrialFile], *, sums: bool = True) -> bool:
    """Return whether the documents, from `parse`, differ only in ways that the order of trials can cause.

    Args:
        wanted: the document that the trials give in one order.
        found: the present document.
        trials: the trials that it counts; more are allowed.
        sums: whether to compare metrics and the cost, too.
    """
    facts = Counter(_facts(wanted)), Counter(_facts(found))
    left, right = (Counter({fact: count for fact, count in side.items() if not _is_sum(fact)}) for side in facts)
    if left != right or not sums:
        return left == right
    sums_wanted, sums_found = (dict(filter(_is_sum, side)) for side in facts)
    metrics = _rounding([value for file in trials for value in (file.trial.rewards or {}).values()])
    cost = _rounding([usage.cost for file in trials for usage in file.trial.usage if usage.cost is not None])
    return sums_wanted.keys() == sums_found.keys() and all(
        _is_near(value, sums_found[path], metrics if "metrics" in path else cost) for path, value in sums_wanted.items()
    )


def _facts(tree: object, *path: str) -> Iterator[_Fact]:
    """Yield all values of a document with their paths; all trial names in a list have the path of the list."""
    if isinstance(tree, Members) and tree.pairs:
        for key, value in tree.pairs:
            yield from _facts(value, *path, _plain(key))
    elif isinstance(tree, list) and tree:
        for number, item in enumerate(tree):
            yield from [(path, item)] if isinstance(item, str) else _facts(item, *path, str(number))
    else:
        yield path, "nothing" if isinstance(tree, Members | list) else tree


def _plain(key: str) -> str:
    """Return a key in a form that is the same for equal numbers."""
    with suppress(ValueError):
        return repr(float(key))
    return key


def _is_sum(fact: _Fact) -> bool:
    path = fact[0]
    return path[:1] == ("stats",) and ("metrics" in path[3:4] or path[1:] == ("cost_usd",))


def _rounding(numbers: list[Number]) -> float:
    """Return the largest difference of two sums or means that add up these numbers in different orders."""
    if not all(map(math.isfinite, numbers)):
        return math.inf
    parts = [abs(Fraction(number)) for number in numbers]
    total, unit = sum(parts), max((part.denominator for part in parts), default=1)
    if total * unit < 2**float_info.mant_dig:
        return 0.0  # no addition is rounded
    with suppress(OverflowError):
        return float(len(parts) * total) * float_info.epsilon
    return math.inf


def _is_near(wanted: object, found: object, rounding: float) -> bool:
    if rounding == math.inf:
        return True
    with suppress(OverflowError, TypeError):  # an int beyond a double, or no number
        return math.isclose(wanted, found, rel_tol=0.0, abs_tol=rounding)  # type: ignore[arg-type]
    return wanted == found
