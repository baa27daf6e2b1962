"""The base class of faulty runners, and the decorator that makes a faulty runner from a function."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

from parity.operations.rules import OPERATION_OF
from parity.operations.series import running_series
from parity.runners import CleanRoom
from parity.scorer import Series

type Answer = Callable[..., Any]
"""A function that returns a faulty runner's answer, given the built-in runner and the arguments of an operation."""


class Fault(CleanRoom):
    """The built-in runner with one fault."""

    breaks: ClassVar[str]
    seen_by: ClassVar[str]

    def __init__(self) -> None:
        super().__init__()
        self.name = type(self).__name__


def breaks(rule: str, *, seen_by: str) -> Callable[[Answer], type[Fault]]:
    """Decorate a function to make it a faulty runner with the function's name and docstring.

    The function answers the cases of the rule's operation. Its arguments are the built-in runner, which can be called
    for the correct answer, and the arguments of the operation. A second decorator below this one, such as
    `each_trial`, can pass other arguments to the function.

    Args:
        rule: the slug of the rule that the runner breaks.
        seen_by: the name of the suite's test that must catch the fault.
    """
    operation = OPERATION_OF[rule].name

    def fault_class(answer: Answer) -> type[Fault]:
        def answered(self: Fault, *case: Any) -> Any:
            return answer(super(fault, self), *case)

        members = {"__module__": answer.__module__, "__doc__": answer.__doc__, "breaks": rule, "seen_by": seen_by}
        fault: type[Fault] = type(answer.__name__, (Fault,), {**members, operation: answered})
        return fault

    return fault_class


def other_series() -> Series:
    """Return the interpreter series to which the running interpreter does not belong."""
    return Series.PY312 if running_series() is Series.PY314 else Series.PY314


def read_bytes(directory: Path, name: str) -> bytes | None:
    """Return the content of a reward file; None if it is not a readable regular file, or a symlink to one."""
    path = directory / name
    try:
        return path.read_bytes() if path.is_file() else None
    except OSError:
        return None


def json_document(file: Path, **options: Any) -> Any:
    """Parse a file with these options for `json.loads`; return an ellipsis if that fails."""
    content = read_bytes(file.parent, file.name)
    try:
        return ... if content is None else json.loads(content.decode(), **options)
    except (ValueError, RecursionError):
        return ...
