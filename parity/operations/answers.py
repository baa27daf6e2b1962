"""The possible answers to one case, from a runner or from the reference."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Value:
    """An answer with the value that the operation returned."""

    value: object


@dataclass(frozen=True)
class Fault:
    """An answer with the error that the operation raised.

    Only the kind is compared, because messages contain paths and differ in wording.
    """

    kind: str
    message: str = ""
    error: BaseException | None = field(default=None, compare=False, repr=False)
    """The exception itself, if the runner raised it in this process."""


@dataclass(frozen=True)
class Crash:
    """A missing answer, because the runner hung or its process ended."""

    reason: str
    hung: bool = False
    """Whether the runner exceeded its time limit. It would exceed the limit again if the case were repeated."""

    error: BaseException | None = field(default=None, compare=False, repr=False)
    """The exception that the runner raised in this process, or that stopped the runner."""


@dataclass(frozen=True)
class Malformed(Crash):
    """An answer that arrived over the pipe and does not follow the protocol."""

    mistake: str = ""
    """A description of the mistake. All answers with the same mistake have the same description."""

    section: str = ""
    """The section of PROTOCOL.md that describes the correct form."""

    received: str = ""
    """The beginning of the answer."""


@dataclass(frozen=True)
class NotClaimed:
    """A statement that the runner does not implement the operation, or does not support this case."""

    reason: str = ""


type Answer = Value | Fault | Crash | NotClaimed
