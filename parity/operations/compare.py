"""Compares answers without tolerance: by type and by bits.

An int never equals a float, and a bool equals neither; `-0.0` does not equal `0.0`; every nan equals every nan. Keys
must be in the same order wherever Harbor writes them to a file in that order. The first difference is returned with
its path.
"""

import marshal
import struct
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from parity.operations.answers import Answer, Crash, Fault, NotClaimed, Value

type Aspect = Literal["fault", "type", "keys", "order", "length", "bits", "text", "layout", "value", "crash"]
type Path = tuple[str | int, ...]
type Ordered = Callable[[Path], bool]
"""A function that returns whether the order of keys is compared in the object at a path."""


def everywhere(path: Path) -> bool:
    """Return True, so that the order of keys is compared in every object."""
    return True


def below_the_top(path: Path) -> bool:
    """Return whether a path leads below the top level, so that the order of keys is ignored only at the top level."""
    return bool(path)


@dataclass(frozen=True)
class Difference:
    """A difference between two answers: its path, its aspect, and the expected and actual values at this path."""

    path: Path
    aspect: Aspect
    expected: object
    actual: object

    @property
    def ulps(self) -> int | None:
        """Distance in units in the last place if both values are finite floats, else None."""
        if type(self.expected) is float and type(self.actual) is float:
            return ulp_distance(self.expected, self.actual)
        return None

    def where(self) -> str:
        """Return the path in Python notation, such as `["mean"]`."""
        return "".join(f"[{step!r}]" for step in self.path) or "the answer itself"


def compare_answers(expected: Answer, actual: Answer, *, ordered: Ordered = everywhere) -> Difference | None:
    """Return the first difference between two answers, or None.

    Args:
        expected: the reference's answer, which is a value or a fault.
        actual: the runner's answer.
        ordered: returns whether the order of keys is compared at a path.
    """
    match expected, actual:
        case _, NotClaimed():
            return None
        case _, Crash():
            return Difference((), "crash", expected, actual)
        case Fault(), Fault():
            return None if expected.kind == actual.kind else Difference((), "fault", expected, actual)
        case Value(), Value():
            if _are_identical(expected.value, actual.value):
                return None
            try:
                return compare(expected.value, actual.value, ordered=ordered)
            except Exception:  # an answer may contain itself, or objects that raise when they are compared
                return Difference((), "value", expected.value, actual.value)
        case _:
            return Difference((), "fault", expected, actual)


def _are_identical(expected: Any, actual: Any) -> bool:
    """Return whether two values certainly have the same types, bits and order of keys, nested values included.

    For values that JSON supports, the output of `marshal` version 2 depends only on types, bits and order. It refuses
    most types that JSON does not support; the result is then False.
    """
    try:
        return marshal.dumps(expected, 2) == marshal.dumps(actual, 2)
    except ValueError:
        return False


def compare(expected: object, actual: object, *, ordered: Ordered = everywhere, path: Path = ()) -> Difference | None:
    """Return the first difference between two values, or None. See `compare_answers`."""
    if isinstance(expected, dict):
        return _compare_dicts(expected, actual, ordered, path)
    if isinstance(expected, list):
        return _compare_lists(expected, actual, ordered, path)
    if type(expected) is not type(actual):
        return Difference(path, "type", expected, actual)
    if isinstance(expected, float) and isinstance(actual, float):
        return None if same_float(expected, actual) else Difference(path, "bits", expected, actual)
    if expected == actual:
        return None
    return Difference(path, "text" if isinstance(expected, str) else "value", expected, actual)


def _compare_dicts(expected: dict[object, object], actual: object, ordered: Ordered, path: Path) -> Difference | None:
    if type(actual) is not dict:
        return Difference(path, "type", expected, actual)
    expected_keys, actual_keys = list(expected), list(actual)
    typed = {(type(key), key) for key in expected_keys}
    if len(expected_keys) != len(actual_keys) or any((type(key), key) not in typed for key in actual_keys):
        return Difference(path, "keys", expected, actual)
    if expected_keys != actual_keys and ordered(path):
        return Difference(path, "order", expected, actual)
    for key in expected_keys:
        step = key if isinstance(key, str | int) else repr(key)
        difference = compare(expected[key], actual[key], ordered=ordered, path=(*path, step))
        if difference:
            return difference
    return None


def _compare_lists(expected: list[object], actual: object, ordered: Ordered, path: Path) -> Difference | None:
    if type(actual) is not list:
        return Difference(path, "type", expected, actual)
    if len(expected) != len(actual):
        return Difference(path, "length", expected, actual)
    for index, (left, right) in enumerate(zip(expected, actual, strict=True)):
        difference = compare(left, right, ordered=ordered, path=(*path, index))
        if difference:
            return difference
    return None


def with_sorted_keys(value: object, path: Path) -> object:
    """Return a copy of the value in which the object at a path has sorted keys, if there is an object at this path."""
    if not isinstance(value, dict):
        return value
    if not path:
        return dict(sorted(value.items()))
    return {key: with_sorted_keys(each, path[1:]) if key == path[0] else each for key, each in value.items()}


def same_float(left: float, right: float) -> bool:
    """Return whether two floats have the same bits or are both nan."""
    if left == right:
        return left != 0.0 or struct.pack("<d", left) == struct.pack("<d", right)
    return left != left and right != right


def ulp_distance(left: float, right: float) -> int | None:
    """Return the distance between two doubles in units in the last place, or None if one of them is not finite."""
    if left - left != 0.0 or right - right != 0.0:
        return None
    return abs(_rank(left) - _rank(right))


def _rank(number: float) -> int:
    """Return the position of a double in the ascending order of all doubles; -0.0 is one position below 0.0."""
    bits: int = struct.unpack("<q", struct.pack("<d", number))[0]
    return bits if bits >= 0 else -(bits & 0x7FFF_FFFF_FFFF_FFFF) - 1
