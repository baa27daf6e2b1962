"""What a runner, or the reference, can say to one case."""

from dataclasses import dataclass, field, replace


@dataclass(frozen=True)
class Value:
    """The operation succeeded with this value."""

    value: object
    changed: str = ""
    """What the runner was given and has changed, in words; empty where it has left everything as it was."""


@dataclass(frozen=True)
class Fault:
    """The operation failed. Only the kind is compared; messages carry paths and wording."""

    kind: str
    message: str = ""
    changed: str = ""
    """As of a value."""

    error: BaseException | None = field(default=None, compare=False, repr=False)
    """What a runner in this process raised."""


@dataclass(frozen=True)
class Crash:
    """The runner gave no answer at all: it hung, or ended the process that asked."""

    reason: str
    hung: bool = False
    """Whether it took its whole time, as it will each time when it is asked again."""

    error: BaseException | None = field(default=None, compare=False, repr=False)
    """What a runner in this process raised, or what it was stopped by."""


@dataclass(frozen=True)
class NotClaimed:
    """The runner says that it does not implement this."""

    reason: str = ""


type Answer = Value | Fault | Crash | NotClaimed


def without_changes(answer: Answer) -> Answer:
    """The answer alone, whatever the call that gave it did to what it was given."""
    return replace(answer, changed="") if isinstance(answer, Value | Fault) else answer
