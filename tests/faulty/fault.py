"""How a faulty runner is made of a function, and what such functions have in common."""

import json
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, ClassVar

from parity.operations.rules import RULES
from parity.runners import CleanRoom
from parity.scorer import Series

type Patch = AbstractContextManager[Any]
type Answer = Callable[..., Any]
"""Given the built-in runner and the arguments of an operation, gives what a faulty runner answers."""


class Fault(CleanRoom):
    """The built-in runner, but for one fault."""

    breaks: ClassVar[str]
    seen_by: ClassVar[str]
    patch: ClassVar[Callable[[], Patch] | None] = None
    """What is replaced while the runner answers, where the fault lies there."""

    def __init__(self) -> None:
        super().__init__()
        self.name = type(self).__name__


class Patching:
    """A fault that is a part of the kit's own code replaced for as long as the built-in runner answers."""

    def __init__(self, change: Answer, patch: Callable[[], Patch]) -> None:
        self.change = change
        self.patch = patch


def breaks(rule: str, *, seen_by: str) -> Callable[[Answer | Patching], type[Fault]]:
    """Make a faulty runner, which has the name and the docstring of the function below.

    The function answers the cases of the rule's operation. It is given the built-in runner, to ask it for the right
    answer, and the arguments of the operation; or what another decorator in between has it take.

    Args:
        rule: the slug of the rule that is broken.
        seen_by: the test of the suite that has to see it.
    """
    operation = RULES[rule].operation

    def made(answer: Answer | Patching) -> type[Fault]:
        def answered(self: Fault, *case: Any) -> Any:
            right: Any = super(fault, self)
            if not isinstance(answer, Patching):
                return answer(right, *case)
            with answer.patch():
                return getattr(right, operation)(*case)

        named = answer.change if isinstance(answer, Patching) else answer
        members: dict[str, Any] = {name: getattr(named, name) for name in ("__module__", "__doc__")}
        members |= {"breaks": rule, "seen_by": seen_by, operation: answered}
        if isinstance(answer, Patching):
            members["patch"] = staticmethod(answer.patch)
        fault: type[Fault] = type(named.__name__, (Fault,), members)
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
