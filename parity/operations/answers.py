"""The possible answers of a runner, or of the reference, to one case."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Value:
    """Success of the operation, with its value."""

    value: object


@dataclass(frozen=True)
class Fault:
    """Failure of the operation. Only the kind is compared, because messages hold paths and wording."""

    kind: str
    message: str = ""
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
class Malformed(Crash):
    """An answer over the pipe that does not follow the protocol."""

    mistake: str = ""
    """The mistake, in the same words for every answer that has it."""

    section: str = ""
    """The section of PROTOCOL.md that says what is right."""

    received: str = ""
    """The beginning of the answer."""


@dataclass(frozen=True)
class NotClaimed:
    """A runner's statement that it does not implement the operation, or not this case."""

    reason: str = ""


type Answer = Value | Fault | Crash | NotClaimed
