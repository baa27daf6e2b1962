"""Cases of `reason_code` that count the same by one rule alone, so that the rule can be tried out on a runner."""

from collections.abc import Callable, Mapping
from typing import Any

from parity.operations.reason_code.case import ErrorText


def _texts(change: Callable[[str], str]) -> Callable[[ErrorText], ErrorText]:
    return lambda case: case if case.text is None else ErrorText(change(case.text))


EQUIVALENTS: Mapping[str, Callable[[Any], Any]] = {
    "reason-code/lower-case": _texts(lambda text: text.lower().encode("ascii", "replace").decode()),
}
"""Rule to a function that turns a case into one that counts the same by that rule alone."""
