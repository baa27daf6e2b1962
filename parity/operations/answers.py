"""The possible answers of a runner, or of the reference, to one case."""

from dataclasses import dataclass, field, replace


@dataclass(frozen=True)
class Value:
    """Success of the operation, with its value."""

    value: object
    changed: str = ""
    """The changes of the call to its input, in words; empty if it changed nothing."""


@dataclass(frozen=True)
class Fault:
    """Failure of the operation. Only the kind is compared, because messages hold paths and wording."""

    kind: str
    message: str = ""
    changed: str = ""
    """The changes of the call to its input, in words; empty if it changed nothing."""

    error: BaseException | None = field(default=None, compare=False, repr=False)
    """The exception that a runner in this process raised."""


@dataclass(frozen=True)
class Crash:
    """No answer at all: the runner hung, or ended the process."""

    reason: str
    hung: bool = False
    """Whether the runner used up its time. It would do so each time that the case is asked again."""

    error: BaseException | None = field(default=None, compare=False, repr=False)
    """The exception that the runner raised in this process, or that stopped it."""


@dataclass(frozen=True)
class NotClaimed:
    """A runner's statement that it does not implement the operation, or not this case."""

    reason: str = ""


type Answer = Value | Fault | Crash | NotClaimed


def without_changes(answer: Answer) -> Answer:
    """Return the answer without the description of changed input."""
    return replace(answer, changed="") if isinstance(answer, Value | Fault) else answer
