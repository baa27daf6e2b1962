"""What a runner, or the reference, can say to one case."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Value:
    """The operation succeeded with this value."""

    value: object


@dataclass(frozen=True)
class Fault:
    """The operation failed. Only the kind is compared; messages carry paths and wording."""

    kind: str
    message: str = ""


@dataclass(frozen=True)
class Crash:
    """The runner gave no answer at all: it hung, or ended the process that asked."""

    reason: str
    hung: bool = False
    """Whether it took its whole time, as it will each time when it is asked again."""


@dataclass(frozen=True)
class NotClaimed:
    """The runner says that it does not implement this."""

    reason: str = ""


type Answer = Value | Fault | Crash | NotClaimed
