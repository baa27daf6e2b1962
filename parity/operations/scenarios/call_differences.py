"""Restates a difference between the calls of two trials as the first call that is missing or superfluous."""

from itertools import takewhile, zip_longest
from typing import Any

from parity.operations.compare import Difference, Path, compare


def restated_calls(difference: Difference, expected: Any, actual: Any, depth: int) -> Difference:
    """Restate a difference between two lists of calls, so that its path ends with the missing or superfluous call.

    Args:
        difference: the first difference between two transcripts.
        expected: the reference's transcript.
        actual: the runner's transcript.
        depth: the number of steps in the difference's path that lead to the lists of calls.
    """
    path, rest = difference.path[:depth], difference.path[depth:]
    if (difference.aspect, len(rest)) not in (("length", 0), ("keys", 1)):
        return difference
    for step in path:
        expected, actual = expected[step], actual[step]
    return _first_difference(expected, actual, path) or difference


def _first_difference(expected: list[Any], actual: list[Any], path: Path) -> Difference | None:
    """Return the first difference between two lists of calls, or None.

    If a call is missing, superfluous or in a different place, the last step in the difference's path is its purpose.

    Args:
        expected: the reference's calls, each under its purpose as the only key.
        actual: the runner's calls.
        path: the path to the two lists.
    """
    for number, (left, right) in enumerate(zip_longest(expected, actual)):
        if not isinstance(left, dict) or not isinstance(right, dict) or list(left) != list(right):
            purpose = _parting(_purposes(expected[number:]), _purposes(actual[number:]))
            return Difference((*path, number, purpose), "order" if left and right else "length", left, right)
        difference = compare(left, right, ordered=lambda path: False, path=(*path, number))
        if difference:
            return difference
    return None


def _purposes(calls: list[Any]) -> list[str]:
    return [str(purpose) for call in calls if isinstance(call, dict) for purpose in call]


def _parting(expected: list[str], actual: list[str]) -> str:
    """Return the purpose of the first expected call if this call is missing, else that of the superfluous call."""
    if not expected or not actual:
        return [*expected, *actual, ""][0]
    is_late, is_early = expected[0] in actual, actual[0] in expected
    if is_late == is_early:
        is_late = _alike(expected, actual[1:]) > _alike(expected[1:], actual)
    return actual[0] if is_late else expected[0]


def _alike(left: list[str], right: list[str]) -> int:
    """Return the number of leading purposes that are equal."""
    pairs = zip_longest(left, right)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
