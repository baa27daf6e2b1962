"""The errors of a trial and of its steps, in words."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from parity.formats.trial_result import ExceptionInfo, TrialResult


class ShownError(NamedTuple):
    """An error of a trial or of one of its steps."""

    name: str
    """The class of the error, and the step that has it."""

    message: str
    """The first line of its message."""

    def __str__(self) -> str:
        return f"{self.name}: {self.message}" if self.message else self.name


def errors_of(result: TrialResult[Any, Any]) -> Iterator[ShownError]:
    """Yield the error of a trial, and those of its steps."""
    if result.exception_info is not None:
        yield _shown(result.exception_info)
    yield from step_errors_of(result)


def step_errors_of(result: TrialResult[Any, Any]) -> Iterator[ShownError]:
    """Yield the errors of a trial's steps, which are not the trial's."""
    for step in result.step_results or ():
        if step.exception_info is not None:
            yield _shown(step.exception_info, f" in step {step.step_name}")


def _shown(error: ExceptionInfo, where: str = "") -> ShownError:
    return ShownError(error.exception_type + where, error.exception_message.strip().partition("\n")[0])
