"""Equivalent cases of `reason_code`. Attribution asks a runner for them to find out which rule it breaks."""

from collections.abc import Callable, Mapping
from typing import Any

from parity.operations.reason_code.case import ErrorText


def _texts(change: Callable[[str], str]) -> Callable[[ErrorText], ErrorText]:
    return lambda case: case if case.text is None else ErrorText(change(case.text))


EQUIVALENTS: Mapping[str, Callable[[Any], Any]] = {
    "reason-code/lower-case": _texts(lambda text: text.lower().encode("ascii", "replace").decode()),
}
"""For each rule, a function that turns a case into another one whose answer is the same because of this rule."""
