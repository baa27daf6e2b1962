"""Makes a faulty runner of a function."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

from parity.operations.rules import OPERATION_OF
from parity.runners import CleanRoom
from parity.scorer import Series

type Answer = Callable[..., Any]
"""Given the built-in runner and the arguments of an operation, gives what a faulty runner answers."""


class Fault(CleanRoom):
    """The built-in runner with one fault."""

    breaks: ClassVar[str]
    seen_by: ClassVar[str]

    def __init__(self) -> None:
        super().__init__()
        self.name = type(self).__name__


def breaks(rule: str, *, seen_by: str) -> Callable[[Answer], type[Fault]]:
    """Make a faulty runner, which has the name and the docstring of the function below.

    The function answers the cases of the rule's operation. It is given the built-in runner, to ask it for the right
    answer, and the arguments of the operation; or what another decorator in between has it take.

    Args:
        rule: the slug of the rule that is broken.
        seen_by: the test of the suite that has to see it.
    """
    operation = OPERATION_OF[rule].name

    def made(answer: Answer) -> type[Fault]:
        def answered(self: Fault, *case: Any) -> Any:
            return answer(super(fault, self), *case)

        members = {"__module__": answer.__module__, "__doc__": answer.__doc__, "breaks": rule, "seen_by": seen_by}
        fault: type[Fault] = type(answer.__name__, (Fault,), {**members, operation: answered})
        return fault

    return made


def other_series() -> Series:
    """The series that the running interpreter does not have."""
    return Series.PY312 if Series.running() is Series.PY314 else Series.PY314


def read_bytes(directory: Path, name: str) -> bytes | None:
    """The content of a reward file that is, or leads to, a regular file which may be read; else None."""
    path = directory / name
    try:
        return path.read_bytes() if path.is_file() else None
    except OSError:
        return None


def json_document(file: Path, **options: Any) -> Any:
    """The document of a file, read with these options of `json.loads`; an ellipsis where there is none."""
    content = read_bytes(file.parent, file.name)
    try:
        return ... if content is None else json.loads(content.decode(), **options)
    except (ValueError, RecursionError):
        return ...
